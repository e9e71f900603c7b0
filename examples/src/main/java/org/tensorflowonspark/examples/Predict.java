/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.examples;

import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.tensorflowonspark.cluster.TFCluster;
import org.tensorflowonspark.cluster.feed.InferenceFeed;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.TensorList;
import org.tensorflowonspark.tensorflow.TrainableModel;

/** A program that answers row by row: what a trained model says of each row of a DataFrame. */
public final class Predict {
  private Predict() {}

  /** Arguments: folder of MNIST's IDX files, trained model, folder for the answers (Parquet). */
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().appName("Predict").getOrCreate()) {
      run(spark, Mnist.read(spark, Path.of(args[0]), "t10k", Integer.MAX_VALUE), args[1], args[2]);
    }
  }

  // doc: driver
  static void run(SparkSession spark, Dataset<Row> images, String model, String target) {
    try (var cluster = TFCluster.builder(spark).workers(2).start(ctx -> answer(ctx, model))) {
      Dataset<Row> scored = cluster.inference(images); // all columns, and one for each output
      scored.write().parquet(target); // the nodes answer now, so while the cluster is open
    }
  }

  // doc: end

  // doc: node
  static void answer(NodeContext ctx, String path) throws Exception {
    try (TrainableModel model = ctx.loadModel(path, ModelOptions.defaults());
        Batch batch = Batch.allocate(model.servedInputs(), 128);
        InferenceFeed feed =
            ctx.feed(model.servedInputs())
                .named("inference")
                .from("x", "image")
                .batch(128)
                .openToAnswer(model.servedOutputs())) {
      while (feed.next(batch)) {
        try (TensorList answers = model.predict(batch)) {
          feed.answer(answers);
        }
      }
    }
  }
  // doc: end
}
