/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.node.NodeFunction;

/**
 * Standalone mode: runs independent single-node programs on the executors and collects what they
 * return. Driver side; blocks.
 */
public final class TFParallel {
  private TFParallel() {}

  /**
   * Runs {@code program} once on each of {@code nodes} nodes.
   *
   * @return the results, by rank
   * @throws org.tensorflowonspark.base.TfosException the first failure; the other programs are
   *     interrupted
   */
  public static <R extends @Nullable Object> List<R> run(
      SparkSession spark, int nodes, NodeFunction<R> program) {
    try (TFCluster<R> cluster = TFCluster.builder(spark).workers(nodes).call(program)) {
      return cluster.await();
    }
  }
}
