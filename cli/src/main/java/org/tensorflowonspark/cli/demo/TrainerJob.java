/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.tensorflowonspark.cluster.control.Progress;
import org.tensorflowonspark.train.Trainer;
import org.tensorflowonspark.train.TrainingResult;

/** The demo's work by the training loop of this project. */
final class TrainerJob implements DemoJob {
  private static final int CORES_PER_NODE = 1;

  @Override
  public Trained train(
      SparkSession spark,
      Dataset<Row> training,
      Dataset<Row> validation,
      DemoSettings settings,
      Consumer<TrainingProgress> progress) {
    long rowsPerEpoch = training.count();
    TrainingResult result =
        Trainer.of(spark, settings.model())
            .input("image", "x")
            .input("label", "y")
            .workers(settings.workers())
            .threads(CORES_PER_NODE)
            .batchSize(settings.batchSize())
            .epochs(settings.epochs())
            .seed(settings.seed())
            .deterministic()
            .validation(validation)
            .exportTo(settings.exportDir())
            .overwrite()
            .listener(p -> progress.accept(progress(p, rowsPerEpoch)))
            .fit(training);
    return new Trained(
        result.steps(),
        result.last().figures().getOrDefault("val_loss", Double.NaN),
        result.last().figures().getOrDefault("val_accuracy", Double.NaN));
  }

  private static TrainingProgress progress(Progress p, long rowsPerEpoch) {
    return new TrainingProgress(
        p.step(),
        p.epoch() * rowsPerEpoch + p.rows(),
        p.values().getOrDefault("loss", Double.NaN),
        p.values().getOrDefault("accuracy", Double.NaN));
  }

  @Override
  public Dataset<Row> predict(SparkSession spark, String savedModel, Dataset<Row> images) {
    return Predictions.of(images, savedModel);
  }
}
