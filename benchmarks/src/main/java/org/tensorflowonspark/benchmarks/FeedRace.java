/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.tensorflowonspark.cluster.TFCluster;
import org.tensorflowonspark.cluster.driver.FeedSummary;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.testkit.LocalCluster;

/** Rows of a cached DataFrame into tensors of the nodes' programs, two one-core executors. */
final class FeedRace implements Benchmark {
  private static final int BATCH = 128;
  private static final String SCAN = "bare scan of the cached rows (limit)";
  private static final String COPY = "bare copy of as many bytes, two cores";
  private static final String ORIGINAL = "original_feed.py";
  private static final String ARROW = "arrow_feed.py";
  private static final String OURS = "feed into tensors";

  @Override
  public void run(Settings settings, Report report) throws Exception {
    FeedRows rows = new FeedRows(settings.quick() ? 48_000 : 480_000, 16);
    Peers peers = new Peers(settings);
    try (LocalCluster spark = Executors.start(settings, settings.quick() ? 1024 : 3072)) {
      Dataset<Row> frame = rows.cached(spark.spark());
      verify(spark, frame, rows);
      FeedReader reader = new FeedReader(BATCH, false);
      try (TFCluster<double[]> cluster = TFCluster.builder(spark.spark()).workers(2).call(reader)) {
        int warm = settings.quick() ? 1 : 3;
        for (int i = 0; i < warm; i++) {
          double unused = feed(cluster, frame, rows) + scan(frame, rows);
        }
        int rounds = settings.rounds(7);
        CpuMeter cpu = new CpuMeter(spark);
        Race race =
            new Race(rounds)
                .side(OURS, cpu.of("feed", () -> feed(cluster, frame, rows)))
                .side(SCAN, cpu.of("scan", () -> scan(frame, rows)))
                .side(COPY, () -> copy(spark, rows))
                .side(ORIGINAL, peers.lap(ORIGINAL, "--rows", settings.quick() ? 4000 : 20_000))
                .side(
                    ARROW,
                    3,
                    peers.lap(ARROW, "--rows", rows.count(), "--rounds", settings.quick() ? 1 : 2))
                .run();
        double[] total = total(cluster.await());
        int fed = rounds + warm;
        Executors.check(total[0] == (double) rows.count() * fed, "rows that programs got");
        Executors.check(total[1] == (double) rows.labels() * fed, "sum of labels");
        report(race, report);
        cpu.into(report, rows.count());
      }
    }
  }

  private static void report(Race race, Report report) {
    race.into(report, "rows/s");
    Series ours = race.get(OURS);
    double copy = race.get(COPY).median();
    report.add(
        Result.rate("original", ours, "rows/s")
            .against(ORIGINAL, race.find(ORIGINAL))
            .limit(race.get(SCAN))
            .mustBeat(100)
            .must("500,000 rows/s", ours.median() >= 500_000)
            .with("copy_rows_per_s", copy));
    report.add(
        Result.rate("arrow", ours, "rows/s")
            .against(ARROW, race.find(ARROW))
            .limit(race.get(SCAN))
            .mustBeat(3)
            .with("copy_rows_per_s", copy));
    report.note("784 floats and a label, batch 128, 16 partitions. " + Executors.PINNED);
    report.note(
        "Counted: a call of train() until it returns. Excluded: start of cluster and TensorFlow,"
            + " caching, three rounds of warm-up.");
    report.note("Checked: all floats once before, rows and labels over all rounds.");
    report.note("The original's queues are measured alone, without Spark.");
  }

  /** One pass with all floats added up. */
  private static void verify(LocalCluster spark, Dataset<Row> frame, FeedRows rows) {
    FeedReader reader = new FeedReader(BATCH, true);
    try (TFCluster<double[]> cluster = TFCluster.builder(spark.spark()).workers(2).call(reader)) {
      double unused = feed(cluster, frame, rows);
      double[] total = total(cluster.await());
      Executors.check(total[2] == rows.pixels(), "sum of floats");
      Executors.check(total[1] == rows.labels(), "sum of labels");
    }
  }

  private static double[] total(List<double[]> nodes) {
    double[] total = new double[3];
    for (double[] node : nodes) {
      for (int i = 0; i < total.length; i++) {
        total[i] += node[i];
      }
    }
    return total;
  }

  private static double feed(TFCluster<?> cluster, Dataset<Row> frame, FeedRows rows) {
    long start = System.nanoTime();
    FeedSummary fed = cluster.train(frame, Epochs.of(1));
    double seconds = Executors.seconds(start);
    Executors.check(fed.complete() && fed.rowsUsed() == rows.count(), "rows used: " + fed);
    return rows.count() / seconds;
  }

  private static double scan(Dataset<Row> frame, FeedRows rows) {
    long start = System.nanoTime();
    long labels = FeedRows.scan(frame);
    double seconds = Executors.seconds(start);
    Executors.check(labels == rows.labels(), "labels of the scan");
    return rows.count() / seconds;
  }

  /** As many bytes from memory that is not in a cache into a batch, on both executors at once. */
  private static double copy(LocalCluster spark, FeedRows rows) {
    int each = (int) (rows.count() / 2);
    double seconds =
        spark.onEachExecutor(() -> copySeconds(each)).values().stream()
            .mapToDouble(Double::doubleValue)
            .max()
            .orElseThrow();
    return rows.count() / seconds;
  }

  private static double copySeconds(int rows) {
    int rowBytes = FeedRows.WIDTH * Float.BYTES;
    ByteBuffer from = ByteBuffer.allocateDirect(20_000 * rowBytes);
    ByteBuffer batch = ByteBuffer.allocateDirect(BATCH * rowBytes);
    for (int i = 0; i < from.capacity(); i += 512) {
      from.put(i, (byte) i);
    }
    long start = System.nanoTime();
    for (int row = 0; row < rows; row++) {
      batch.put(row % BATCH * rowBytes, from, row % 20_000 * rowBytes, rowBytes);
    }
    return Executors.seconds(start);
  }
}
