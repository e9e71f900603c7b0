/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What the demo wants of training and prediction, so that its own part can be tested alone. */
interface DemoJob {

  /**
   * Trains, validates and exports to {@link DemoSettings#exportDir()}. Blocks until done.
   *
   * @param training columns {@code image array<float>} and {@code label bigint}
   * @param validation the same columns
   * @param progress to be told after steps, from any thread
   */
  Trained train(
      SparkSession spark,
      Dataset<Row> training,
      Dataset<Row> validation,
      DemoSettings settings,
      Consumer<TrainingProgress> progress);

  /**
   * Loads an exported SavedModel and predicts.
   *
   * @return every input column and {@code prediction bigint}
   */
  Dataset<Row> predict(SparkSession spark, String savedModel, Dataset<Row> images);

  /**
   * What training came to.
   *
   * @param steps over all epochs
   * @param loss on the validation data
   * @param accuracy on the validation data, from 0 to 1
   */
  record Trained(long steps, double loss, double accuracy) {}
}
