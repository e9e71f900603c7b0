/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.examples;

import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.tensorflowonspark.cluster.TFCluster;
import org.tensorflowonspark.cluster.TFParallel;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.cluster.node.StepResult;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.Evaluation;
import org.tensorflowonspark.tensorflow.Gradients;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.TrainableModel;

/**
 * Programs that read files themselves, without a DataFrame: first nodes that train together, each
 * from its share of the files, then independent ones that evaluate the result.
 */
public final class OwnInput {
  private static final int NODES = 2;
  private static final int EPOCHS = 3;
  private static final int BATCH = 32;

  private OwnInput() {}

  /**
   * Arguments: folder of CSV files with MNIST's images (label, then 784 pixels from 0 to 255),
   * trainable SavedModel, folder for the result.
   */
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().appName("OwnInput").getOrCreate()) {
      System.out.println("Accuracy: " + run(spark, args[0], args[1], args[2]));
    }
  }

  static double run(SparkSession spark, String data, String model, String target) {
    // doc: driver
    try (TFCluster<Long> cluster =
        TFCluster.builder(spark).workers(NODES).call(ctx -> train(ctx, data, model, target))) {
      System.out.println("Steps of each node: " + cluster.await());
    }
    List<double[]> parts = TFParallel.run(spark, NODES, ctx -> evaluate(ctx, data, target));
    double right = parts.stream().mapToDouble(p -> p[0]).sum();
    double all = parts.stream().mapToDouble(p -> p[1]).sum();
    // doc: end
    return right / all;
  }

  // doc: node
  static long train(NodeContext ctx, String data, String path, String target) throws Exception {
    List<Path> files = ctx.shard(CsvImages.list(ctx.hadoop(), ctx.path(data)));
    try (TrainableModel model = ctx.loadModel(path, ModelOptions.defaults());
        Batch batch = model.newBatch(BATCH)) {
      for (int epoch = 0; epoch < EPOCHS; epoch++) {
        try (CsvImages images = new CsvImages(ctx.hadoop(), files)) {
          StepResult step;
          do { // until no node has rows; one without joins with empty batches
            images.fill(batch);
            try (Gradients gradients = model.gradients(batch)) {
              step = ctx.allReduce(gradients);
              if (step.hasRows()) {
                model.apply(gradients);
              }
            }
          } while (step.hasRows());
        }
      }
      if (ctx.isChief()) {
        ctx.exportModel(model, target, false);
      }
      return model.iterations();
    }
  }

  // doc: end

  private static double[] evaluate(NodeContext ctx, String data, String path) throws Exception {
    List<Path> files = ctx.shard(CsvImages.list(ctx.hadoop(), ctx.path(data)));
    double right = 0;
    double all = 0;
    try (TrainableModel model = ctx.loadModel(path, ModelOptions.defaults());
        Batch batch = model.newBatch(BATCH);
        CsvImages images = new CsvImages(ctx.hadoop(), files)) {
      for (images.fill(batch); batch.rows() > 0; images.fill(batch)) {
        Evaluation evaluation = model.evaluate(batch);
        right += evaluation.weight() * evaluation.metrics().getOrDefault("accuracy", 0.0);
        all += evaluation.weight();
      }
    }
    return new double[] {right, all};
  }
}
