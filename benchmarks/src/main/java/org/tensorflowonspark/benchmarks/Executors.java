/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.io.IOException;
import java.util.List;
import org.tensorflowonspark.testkit.ExecutorProcess;
import org.tensorflowonspark.testkit.LocalCluster;

/** The Spark cluster of most races: two executor processes, each with one core of its own. */
final class Executors {
  static final String PINNED =
      "Two executors of one slot, each kept on one core; the driver beside them on either.";

  private Executors() {}

  static LocalCluster start(Settings settings, int memoryMb)
      throws IOException, InterruptedException {
    return start(settings, memoryMb, "");
  }

  /** Starts them; the caller closes the cluster. */
  static LocalCluster start(Settings settings, int memoryMb, String javaOptions)
      throws IOException, InterruptedException {
    String asked = settings.option("executor-options");
    LocalCluster cluster =
        LocalCluster.builder()
            .executors(2)
            .cores(1)
            .memoryMb(memoryMb)
            .conf("spark.executor.extraJavaOptions", javaOptions + (asked == null ? "" : asked))
            .start();
    try {
      List<ExecutorProcess> processes = cluster.executors();
      for (int i = 0; i < processes.size(); i++) {
        Cores.pin(processes.get(i).pid(), i);
      }
    } catch (IOException | InterruptedException e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  static double seconds(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  /** A result of our own that is wrong: no time counts. */
  static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("A wrong result: " + what);
    }
  }
}
