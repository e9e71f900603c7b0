/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.tensorflowonspark.cluster.files.TFRecordInput;
import org.tensorflowonspark.testkit.LocalCluster;
import org.tensorflowonspark.train.EpochReport;
import org.tensorflowonspark.train.Trainer;
import org.tensorflowonspark.train.TrainingResult;

/** Epochs of MNIST from TFRecord files, against those from a cached DataFrame of the same rows. */
final class RecordTrainRace implements Benchmark {
  private static final int BATCH = 64;
  private static final int EPOCHS = 3;
  private static final String FILES = "an epoch from TFRecord files";
  private static final String CACHED = "an epoch from a cached DataFrame (limit)";
  private static final String MODEL = Settings.file("examples/models/mnist-cnn").toString();

  @Override
  public void run(Settings settings, Report report) throws Exception {
    Path data = MnistRace.data(settings);
    try (RecordFolder folder = RecordFolder.create();
        LocalCluster spark = Executors.start(settings, 2048)) {
      int most = settings.quick() ? 6000 : 60_000;
      Dataset<Row> images = new MnistRows(data.toString(), most, 16).cached(spark.spark());
      long rows = images.count();
      String path = folder.file("mnist").toUri().toString();
      images.write().format("tfrecord").save(path);
      TFRecordInput files = TFRecordInput.of(path);
      int epochs = settings.quick() ? 2 : EPOCHS;
      double unused =
          epoch(trainer(spark, epochs).fit(files), rows)
              + epoch(trainer(spark, epochs).fit(images), rows);
      CpuMeter cpu = new CpuMeter(spark);
      Race race =
          new Race(settings.rounds(7))
              .side(FILES, cpu.of("files", () -> epoch(trainer(spark, epochs).fit(files), rows)))
              .side(CACHED, cpu.of("cached", () -> epoch(trainer(spark, epochs).fit(images), rows)))
              .run();
      race.into(report, "rows/s");
      cpu.into(report, rows * epochs);
      Series value = race.get(FILES);
      double ratio = value.over(race.get(CACHED));
      report.add(
          Result.rate("mnist", value, "rows/s")
              .limit(race.get(CACHED))
              .must("at least 0.9 of the cached rate", ratio >= 0.9)
              .with("epoch_s", rows / value.median()));
      report.note(
          "%d images, the original's CNN, batch 64 a node, shuffled; 16 files %s, written by the"
                  .formatted(rows, folder.where())
              + " data source. "
              + Executors.PINNED);
      report.note(
          "Counted: the wall time of epochs as Trainer reports them, the first of each training"
              + " left out, which waits for the model and the first rows. The cpu rows are of"
              + " whole trainings.");
      report.note("Checked: every row used in every epoch, accuracy in the last one.");
    }
  }

  private static Trainer trainer(LocalCluster spark, int epochs) {
    return Trainer.of(spark.spark(), MODEL)
        .input("image", "x")
        .input("label", "y")
        .workers(2)
        .threads(1)
        .batchSize(BATCH)
        .epochs(epochs)
        .seed(7);
  }

  /** Rows a second of all epochs but the first. */
  private static double epoch(TrainingResult result, long rows) {
    List<EpochReport> history = result.history();
    for (EpochReport report : history) {
      Executors.check(report.rows() == rows, "rows of an epoch: " + report);
    }
    double accuracy = result.last().figures().getOrDefault("accuracy", 0.0);
    Executors.check(accuracy > (rows < 60_000 ? 0.8 : 0.97), "accuracy: " + result.last());
    List<EpochReport> steady = history.subList(1, history.size());
    double seconds = steady.stream().mapToDouble(EpochReport::seconds).sum();
    return rows * steady.size() / seconds;
  }
}
