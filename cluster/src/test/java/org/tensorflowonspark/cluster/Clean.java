/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import java.time.Duration;
import org.tensorflowonspark.testkit.LeakCheck;
import org.tensorflowonspark.testkit.LocalCluster;

/**
 * Asserts what holds after every end of a cluster, good or bad: 5 s later nothing of ours is left
 * in driver and executors, and the application has all its executors for the next cluster.
 */
final class Clean {
  private static final Duration GONE = Duration.ofSeconds(5);
  private static final Duration REPLACED = Duration.ofSeconds(60);

  private final LocalCluster spark;
  private final LeakCheck leaks;

  private Clean(LocalCluster spark) {
    this.spark = spark;
    // Earlier tests may have cost an executor, and Spark's own lazy start is no leak.
    spark.awaitExecutors(REPLACED);
    spark.onEachExecutor(() -> 1);
    this.leaks = LeakCheck.before(spark);
  }

  /** Notes what there is before the cluster under test starts. */
  static Clean before(LocalCluster spark) {
    return new Clean(spark);
  }

  /** To be called at once after the cluster's end. */
  void check() {
    leaks.assertClean(Faults.promised(GONE));
    spark.awaitExecutors(REPLACED);
  }

  /** Whether a thread of ours runs in the process {@code pid} that did not before. */
  boolean hasThreads(long pid) {
    return leaks.leaks().stream().anyMatch(l -> l.contains("(pid " + pid + ") thread tfos-"));
  }
}
