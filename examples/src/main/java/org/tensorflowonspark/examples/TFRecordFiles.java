/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.examples;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.tensorflowonspark.cluster.TFCluster;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.feed.Feed;
import org.tensorflowonspark.cluster.files.TFRecordInput;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.Gradients;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.TrainableModel;
import org.tensorflowonspark.train.Trainer;
import org.tensorflowonspark.train.TrainingResult;

/**
 * TFRecord files as a data source of Spark, and as what nodes read themselves: written from a
 * DataFrame, queried, trained from by {@code Trainer} and by a program of one's own.
 */
public final class TFRecordFiles {
  private TFRecordFiles() {}

  /** Arguments: folder of MNIST's IDX files, trainable SavedModel, folder for TFRecord files. */
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().appName("TFRecordFiles").getOrCreate()) {
      Dataset<Row> images = Mnist.read(spark, Path.of(args[0]), "train", Integer.MAX_VALUE);
      write(images, args[2]);
      query(spark, args[2]).show();
      train(spark, args[1], args[2]).history().forEach(System.out::println);
      System.out.println("Rows of each node: " + trainByHand(spark, args[1], args[2]));
    }
  }

  static void write(Dataset<Row> images, String path) {
    // doc: write
    images.write().format("tfrecord").save(path); // modes, partitionBy, options as for any format
    // doc: end
  }

  static Dataset<Row> query(SparkSession spark, String path) {
    // doc: read
    Dataset<Row> images = spark.read().format("tfrecord").load(path); // image: array<float>, label
    Dataset<Row> perLabel = images.groupBy("label").count(); // reads the labels and no pixel
    // doc: end
    return perLabel;
  }

  static TrainingResult train(SparkSession spark, String model, String path) {
    // doc: train
    TrainingResult result =
        Trainer.of(spark, model)
            .input("image", "x") // feature, tensor
            .input("label", "y")
            .workers(2)
            .batchSize(32)
            .epochs(2)
            .seed(7)
            .validationFraction(0.1) // of the records, chosen by the seed
            .fit(
                TFRecordInput.of(
                    path)); // nodes share the files; no Spark job, no row on the driver
    // doc: end
    return result;
  }

  // doc: driver
  static List<Long> trainByHand(SparkSession spark, String model, String path) {
    try (TFCluster<Long> cluster =
        TFCluster.builder(spark).workers(2).call(ctx -> node(ctx, model, path))) {
      return cluster.await(); // nothing to feed: the nodes read themselves
    }
  }

  // doc: end

  // doc: node
  static long node(NodeContext ctx, String path, String files) throws Exception {
    try (TrainableModel model = ctx.loadModel(path, ModelOptions.defaults());
        Batch batch = model.newBatch(32);
        Feed feed =
            ctx.feed(model.signature().inputs())
                .from("x", "image") // tensor, feature
                .from("y", "label")
                .files(TFRecordInput.of(files), Epochs.of(2).shuffled(7))
                .batch(32)
                .synchronous() // a node without records joins with empty batches
                .open()) {
      while (feed.next(batch)) {
        try (Gradients gradients = model.gradients(batch)) {
          if (ctx.allReduce(gradients).hasRows()) {
            model.apply(gradients);
          }
        }
      }
      return feed.rowsUsed();
    }
  }
  // doc: end
}
