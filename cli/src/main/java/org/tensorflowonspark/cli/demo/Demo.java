/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cli.console.CliError;
import org.tensorflowonspark.cli.console.ProgressBar;
import org.tensorflowonspark.cli.console.Screen;
import org.tensorflowonspark.testkit.LocalCluster;

/** The demo's steps in order, each with a line for the user. */
final class Demo {
  private static final Logger LOG = LoggerFactory.getLogger(Demo.class);
  private static final int CLASSES = 10;
  private static final int PIXELS = 28 * 28;

  /** Few enough for Spark to be quick, enough for uneven executors to share the work. */
  private static final int PARTITIONS_PER_WORKER = 4;

  private static final ProgressBar.Pace PACE =
      new ProgressBar.Pace(Duration.ZERO, Duration.ofSeconds(3));

  private final DemoJob job;
  private final DemoSettings settings;
  private final Screen screen;

  Demo(DemoJob job, DemoSettings settings, Screen screen) {
    this.job = job;
    this.settings = settings;
    this.screen = screen;
  }

  /** Gives the confusion table of the test images. */
  ConfusionTable run() {
    long start = System.nanoTime();
    LabelledImages training = read("train");
    LabelledImages test = read("t10k");
    say(
        "data",
        "%,d training and %,d test images from %s",
        training.count(),
        test.count(),
        settings.data());
    ConfusionTable table;
    try (LocalCluster cluster =
        LocalCluster.builder().executors(settings.executors()).cores(1).start()) {
      say(
          "cluster",
          "%d executor processes on this machine, started in %s",
          settings.executors(),
          since(start));
      try {
        table = run(cluster.spark(), training, test);
      } catch (RuntimeException e) {
        LOG.error("What the executors wrote:\n{}", cluster.executorLogs());
        throw e;
      }
    }
    say("done", "in %s", since(start));
    return table;
  }

  private ConfusionTable run(SparkSession spark, LabelledImages training, LabelledImages test) {
    int partitions = PARTITIONS_PER_WORKER * settings.workers();
    Dataset<Row> trainingRows = training.toDataFrame(spark, partitions).cache();
    Dataset<Row> testRows = test.toDataFrame(spark, settings.workers()).cache();
    say(
        "training",
        "%d nodes, %d epochs, batches of %d on each node",
        settings.workers(),
        settings.epochs(),
        settings.batchSize());
    long start = System.nanoTime();
    ProgressBar bar =
        new ProgressBar(
            screen,
            PACE,
            (long) training.count() * settings.epochs(),
            rate -> String.format(Locale.ROOT, "%,.0f rows/s", rate),
            System::nanoTime);
    DemoJob.Trained trained;
    try {
      trained =
          job.train(spark, trainingRows, testRows, settings, p -> bar.update(p.rows(), p.words()));
    } finally {
      bar.finish();
    }
    say(
        "validated",
        "loss %.4f, accuracy %.4f after %,d steps in %s",
        trained.loss(),
        trained.accuracy(),
        trained.steps(),
        since(start));
    say("exported", "%s", settings.exportDir());
    long predicting = System.nanoTime();
    ConfusionTable table = new ConfusionTable(CLASSES);
    for (Row row :
        job.predict(spark, settings.exportDir(), testRows)
            .groupBy("label", "prediction")
            .count()
            .collectAsList()) {
      table.add((int) row.getLong(0), (int) row.getLong(1), row.getLong(2));
    }
    say(
        "predicted",
        "%,d test images with the exported model in %s, accuracy %.4f",
        table.total(),
        since(predicting),
        table.accuracy());
    screen.out().println();
    screen.out().println(table.render());
    return table;
  }

  private LabelledImages read(String part) {
    LabelledImages images = IdxFiles.read(settings.data(), part);
    if (images.imageSize() != PIXELS) {
      throw new TfosException(
          CliError.DATA_CORRUPT,
          "The images of '"
              + part
              + "' in "
              + settings.data()
              + " have "
              + images.rows()
              + " x "
              + images.columns()
              + " pixels",
          "The demo's model takes 28 x 28.");
    }
    return images;
  }

  private void say(String topic, String format, Object... args) {
    PrintStream out = screen.out();
    String text = String.format(Locale.ROOT, format, args);
    LOG.info("{}: {}", topic, text);
    out.println(String.format(Locale.ROOT, "%-10s %s", topic, text));
    out.flush();
  }

  private static String since(long start) {
    return String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - start) / 1e9);
  }
}
