/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.examples;

import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.tensorflowonspark.train.Trainer;
import org.tensorflowonspark.train.TrainingResult;

/** The short way: a model, a DataFrame, which column goes into which tensor. */
public final class TrainMnist {
  private TrainMnist() {}

  /** Arguments: folder of MNIST's IDX files, trainable SavedModel, folder for the result. */
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().appName("TrainMnist").getOrCreate()) {
      Dataset<Row> images = Mnist.read(spark, Path.of(args[0]), "train", Integer.MAX_VALUE);
      TrainingResult result = train(spark, images.cache(), args[1], args[2]);
      result.history().forEach(System.out::println);
    }
  }

  static TrainingResult train(
      SparkSession spark, Dataset<Row> images, String model, String target) {
    // doc: short
    TrainingResult result =
        Trainer.of(spark, model) // a trainable SavedModel, on any file system of Hadoop's
            .input("image", "x") // column, tensor
            .input("label", "y")
            .workers(2)
            .batchSize(32)
            .epochs(3)
            .seed(7)
            .validationFraction(0.1)
            .exportTo(target) // an ordinary SavedModel
            .fit(images);
    System.out.println(result.last().figures()); // loss, accuracy, val_loss, val_accuracy
    // doc: end
    return result;
  }
}
