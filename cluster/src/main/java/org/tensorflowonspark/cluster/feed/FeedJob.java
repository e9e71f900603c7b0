/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.io.Serializable;
import java.util.List;
import org.tensorflowonspark.cluster.columns.ColumnPlan;
import org.tensorflowonspark.cluster.transport.NodeAddress;
import org.tensorflowonspark.cluster.transport.TransportSettings;

/**
 * All that the tasks of one feed job need. Travels in Spark's task closures only, since it carries
 * the cluster's secret; so it is never printed.
 *
 * @param clusterId id of the cluster
 * @param clusterAttempt attempt of the cluster
 * @param secret the cluster's 32 random bytes
 * @param feed name of the feed
 * @param session number of the data set
 * @param plan checked instructions from rows to columns
 * @param readers data-plane addresses of the nodes that the rows are for, by index
 * @param byRule whether partition p belongs to reader p modulo readers
 * @param inStep whether rows are to be shared evenly, since nodes read them in step
 * @param settings sizes and times
 * @param transport how to reach nodes
 */
public record FeedJob(
    String clusterId,
    int clusterAttempt,
    byte[] secret,
    String feed,
    int session,
    ColumnPlan plan,
    List<NodeAddress> readers,
    boolean byRule,
    boolean inStep,
    FeedSettings settings,
    TransportSettings transport)
    implements Serializable {

  /** Names cluster and attempt among the nodes of one JVM. */
  public static String clusterKey(String clusterId, int attempt) {
    return clusterId + "#" + attempt;
  }

  @Override
  public String toString() {
    return "feed '%s' session %d of cluster %s".formatted(feed, session, clusterId);
  }
}
