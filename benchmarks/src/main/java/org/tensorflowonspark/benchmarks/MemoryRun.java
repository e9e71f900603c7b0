/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.tensorflowonspark.cluster.TFCluster;
import org.tensorflowonspark.cluster.driver.FeedSummary;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.testkit.ExecutorProcess;
import org.tensorflowonspark.testkit.LocalCluster;

/**
 * Many batches through feed, gradients, exchange and apply: the resident size of the executors must
 * stay flat. Small batches of MNIST, so that there are many.
 */
final class MemoryRun implements Benchmark {
  private static final int BATCH = 16;
  private static final int POINTS = 10;

  /** Growth of an executor from a third of the run to its end that counts as flat. */
  private static final double FLAT_MB = 24;

  @Override
  public void run(Settings settings, Report report) throws Exception {
    long batches = settings.number("batches", settings.quick() ? 3000 : 100_000);
    String data = Settings.file("examples/data/mnist").toString();
    // A heap of full size from the start: what grows then is not the heap.
    try (LocalCluster spark = Executors.start(settings, 1024, "-Xms1024m -XX:+AlwaysPreTouch ")) {
      Dataset<Row> images = new MnistRows(data, 4000, 8).cached(spark.spark());
      long rows = images.count();
      List<Double> resident = new ArrayList<>();
      StepProgram program =
          new StepProgram(
              Settings.file("examples/models/mnist-cnn").toString(),
              BATCH,
              true,
              settings.number("inter-op", 0));
      long done = 0;
      List<StepProgram.Outcome> nodes;
      try (TFCluster<StepProgram.Outcome> cluster =
          TFCluster.builder(spark.spark()).workers(2).call(program)) {
        // Two epochs: one as rows come, one from what the node kept.
        while (done < batches) {
          FeedSummary fed = cluster.train(images, Epochs.of(2).shuffled(done));
          Executors.check(fed.rowsUsed() == 2 * rows, "rows used: " + fed);
          done += 2 * rows / BATCH;
          while (resident.size() < POINTS && done * POINTS >= (resident.size() + 1) * batches) {
            resident.add(megabytes(spark));
            System.err.printf("%,d batches: %.0f MB%n", done, resident.get(resident.size() - 1));
          }
        }
        nodes = cluster.await();
      }
      StepProgram.checkEqual(nodes);
      report(report, resident, done);
    }
  }

  private static void report(Report report, List<Double> resident, long done) {
    StringBuilder points = new StringBuilder("Resident MB of the larger executor, in tenths:");
    resident.forEach(mb -> points.append(String.format(" %.0f", mb)));
    report.note(points.toString());
    report.note(
        done
            + " batches of 16 rows on both nodes together, in step, through feed, gradients,"
            + " exchange and apply; half of the epochs from rows that the node kept.");
    double growth = resident.get(POINTS - 1) - resident.get(POINTS / 3 - 1);
    report.row("resident size", new Series(resident), "MB");
    report.add(
        Result.time("growth", Series.of(growth), "MB")
            .must("at most " + FLAT_MB + " MB from 30 % on", growth <= FLAT_MB)
            .with("batches", (double) done)
            .with("resident_mb", resident.get(POINTS - 1)));
  }

  private static double megabytes(LocalCluster spark) {
    double most = 0;
    for (ExecutorProcess executor : spark.executors()) {
      String line = Machine.first("/proc/" + executor.pid() + "/status", "VmRSS");
      most = Math.max(most, Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024);
    }
    return most;
  }
}
