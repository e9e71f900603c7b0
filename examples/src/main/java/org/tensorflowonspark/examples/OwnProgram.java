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
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.cluster.node.StepResult;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.Gradients;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.TrainableModel;

/** The full way: a program of one's own on every node, fed by Spark. */
public final class OwnProgram {
  private OwnProgram() {}

  /** Arguments: folder of MNIST's IDX files, trainable SavedModel, folder for the result. */
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().appName("OwnProgram").getOrCreate()) {
      Dataset<Row> images = Mnist.read(spark, Path.of(args[0]), "train", Integer.MAX_VALUE);
      System.out.println("Last loss of each node: " + run(spark, images.cache(), args[1], args[2]));
    }
  }

  // doc: driver
  static List<Double> run(SparkSession spark, Dataset<Row> images, String model, String target) {
    try (TFCluster<Double> cluster =
        TFCluster.builder(spark).workers(2).call(ctx -> train(ctx, model, target))) {
      cluster.train(images, Epochs.of(3).shuffled(7)); // returns when the nodes have used all rows
      return cluster.await(); // what the programs returned, by rank
    } // a failure anywhere is thrown here or by the call under way, its first cause first
  }

  // doc: end

  // doc: node
  static double train(NodeContext ctx, String path, String target) throws Exception {
    double loss = Double.NaN;
    try (TrainableModel model = ctx.loadModel(path, ModelOptions.defaults());
        Batch batch = model.newBatch(32);
        Feed feed =
            ctx.feed(model.signature().inputs())
                .from("x", "image") // tensor, column
                .from("y", "label")
                .batch(32)
                .synchronous() // a node without rows joins with empty batches
                .open()) {
      while (feed.next(batch)) {
        try (Gradients gradients = model.gradients(batch)) {
          StepResult step = ctx.allReduce(gradients); // the mean over all rows of all nodes
          if (step.hasRows()) {
            model.apply(gradients);
            loss = step.loss();
          }
        }
      }
      if (ctx.isChief()) {
        ctx.exportModel(model, target, false);
      }
    }
    return loss;
  }
  // doc: end
}
