/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.util.SerializableConfiguration;
import org.tensorflowonspark.base.OptionValues;
import org.tensorflowonspark.cluster.config.Role;

/**
 * All that a start task needs to launch a node. Travels in Spark's task closure only, since it
 * carries the cluster's secret; so it is never printed.
 *
 * @param clusterId id of the cluster
 * @param attempt attempt of the cluster
 * @param secret the cluster's 32 random bytes
 * @param endpoint name of the driver's endpoint
 * @param roles role of each rank
 * @param options resolved options
 * @param hadoop the session's Hadoop configuration
 * @param workingDirectory what relative paths are relative to, fully qualified
 * @param program what to run
 */
public record NodeSpec(
    String clusterId,
    int attempt,
    byte[] secret,
    String endpoint,
    List<Role> roles,
    OptionValues options,
    SerializableConfiguration hadoop,
    String workingDirectory,
    NodeFunction<?> program)
    implements Serializable {

  /** Nodes that train together: all but evaluators. They have the lowest ranks. */
  public int workers() {
    return (int) roles.stream().filter(r -> r != Role.EVALUATOR).count();
  }

  /** Index of a rank within its role. */
  public int taskIndex(int rank) {
    return (int) roles.subList(0, rank).stream().filter(r -> r == roles.get(rank)).count();
  }

  @Override
  public String toString() {
    return "cluster " + clusterId + " attempt " + attempt + " of " + roles;
  }
}
