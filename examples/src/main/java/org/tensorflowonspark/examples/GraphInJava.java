/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.examples;

import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.tensorflow.framework.optimizers.Adam;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt64;
import org.tensorflowonspark.tensorflow.GraphModel;
import org.tensorflowonspark.train.Trainer;
import org.tensorflowonspark.train.TrainingResult;

/** A model whose graph is built in Java: no Python anywhere. */
public final class GraphInJava {
  private GraphInJava() {}

  /**
   * Arguments: folder of MNIST's IDX files, new folder for the untrained model (local here, and
   * readable on every executor), folder for the result.
   */
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().appName("GraphInJava").getOrCreate()) {
      Dataset<Row> images = Mnist.read(spark, Path.of(args[0]), "train", Integer.MAX_VALUE);
      System.out.println(train(spark, images.cache(), args[1], args[2]).last().figures());
    }
  }

  static TrainingResult train(
      SparkSession spark, Dataset<Row> images, String model, String target) {
    network().export(Path.of(model));
    return Trainer.of(spark, model)
        .input("image", "x")
        .input("label", "y")
        .workers(2)
        .batchSize(32)
        .epochs(3)
        .seed(7)
        .exportTo(target)
        .fit(images);
  }

  // doc: graph
  static GraphModel network() {
    return GraphModel.of(
        (tf, parts) -> {
          var x = parts.input("x", TFloat32.class, 784);
          var y = parts.label("y", TInt64.class);
          var start = tf.random.statelessRandomNormal(tf.array(784, 64), tf.array(1, 2));
          var w1 = parts.variable("w1", tf.math.mul(start, tf.constant(0.05f)));
          var b1 = parts.variable("b1", tf.zeros(tf.array(64), TFloat32.class));
          var w2 = parts.variable("w2", tf.zeros(tf.array(64, 10), TFloat32.class));
          var hidden = tf.nn.relu(tf.math.add(tf.linalg.matMul(x, w1), b1));
          var logits = tf.linalg.matMul(hidden, w2);
          var hot = tf.oneHot(y, tf.constant(10), tf.constant(1f), tf.constant(0f));
          var right = tf.math.equal(tf.math.argMax(logits, tf.constant(1)), y);
          parts.output("probabilities", tf.nn.softmax(logits));
          parts.loss(tf.nn.softmaxCrossEntropyWithLogits(logits, hot).loss());
          parts.metric("accuracy", tf.dtypes.cast(right, TFloat32.class));
          parts.optimizer(graph -> new Adam(graph, 0.003f));
        });
  }
  // doc: end
}
