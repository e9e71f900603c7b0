/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.cluster.driver.FeedSummary;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.feed.Feed;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.cluster.node.StepResult;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.Gradients;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.TensorList;
import org.tensorflowonspark.tensorflow.TrainableModel;
import org.tensorflowonspark.testkit.LocalCluster;

class TrainingIT {
  private static LocalCluster spark;

  @BeforeAll
  static void start() {
    spark = LocalCluster.builder().executors(2).cores(1).start();
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  /** First loss, last loss, steps, checksum of all weights. */
  private static double[] train(NodeContext ctx, String path) throws Exception {
    double first = Double.NaN;
    double last = Double.NaN;
    int steps = 0;
    try (TrainableModel model = ctx.loadModel(path, ModelOptions.defaults());
        Batch batch = model.newBatch(32);
        Feed feed =
            ctx.feed(model.signature().inputs())
                .from("x", "features")
                .from("y", "label")
                .batch(32)
                .synchronous()
                .open()) {
      while (feed.next(batch)) {
        try (Gradients g = model.gradients(batch)) {
          StepResult step = ctx.allReduce(g);
          if (step.hasRows()) {
            model.apply(g);
            steps++;
            first = Double.isNaN(first) ? step.loss() : first;
            last = step.loss();
          }
        }
      }
      double sum = 0;
      try (TensorList variables = model.readVariables()) {
        for (int i = 0; i < variables.size(); i++) {
          var bytes = variables.buffer(i);
          while (bytes.hasRemaining()) {
            sum = sum * 31 % 1e9 + bytes.get();
          }
        }
      }
      return new double[] {first, last, steps, sum};
    }
  }

  private List<double[]> run(Epochs epochs) {
    String path = Data.model("multi-dim-mlp");
    try (TFCluster<double[]> cluster =
        TFCluster.builder(spark.spark()).workers(2).call(ctx -> train(ctx, path))) {
      FeedSummary fed = cluster.train(Data.points(spark.spark(), 2000, 5, 1), epochs);
      assertThat(fed.rows()).isEqualTo(2000);
      assertThat(fed.rowsUsed()).isEqualTo(2000L * epochs.count());
      assertThat(fed.complete()).isTrue();
      return cluster.await();
    }
  }

  @Test
  void twoNodesTrainInStepAndEndWithTheSameWeights() {
    List<double[]> nodes = run(Epochs.of(3).shuffled(7));

    double[] chief = nodes.get(0);
    assertThat(chief[1]).isLessThan(chief[0] / 2);
    assertThat(chief[2]).isGreaterThanOrEqualTo(3 * 31);
    assertThat(nodes.get(1)).isEqualTo(chief);
  }

  @Test
  void aDeterministicRunIsEqualToTheBitFromRunToRun() {
    Epochs epochs = Epochs.of(2).shuffled(11).deterministic();

    double[] once = run(epochs).get(0);
    double[] again = run(epochs).get(0);

    assertThat(Arrays.toString(again)).isEqualTo(Arrays.toString(once));
  }

  @Test
  void rowsOfOneExecutorAreSharedAmongNodesThatTrainInStep() {
    String path = Data.model("multi-dim-mlp");
    try (TFCluster<Long> cluster =
        TFCluster.builder(spark.spark())
            .workers(2)
            .option("spark.tfos.feed.chunkBytes", "8k")
            .call(ctx -> rowsInStep(ctx, path))) {
      FeedSummary fed = cluster.train(Data.points(spark.spark(), 20_000, 1, 3), Epochs.of(1));
      List<Long> rows = cluster.await();

      assertThat(fed.rowsUsed()).isEqualTo(20_000);
      assertThat(rows).allSatisfy(n -> assertThat(n).isBetween(5_000L, 15_000L));
    }
  }

  private static long rowsInStep(NodeContext ctx, String path) throws Exception {
    long rows = 0;
    try (TrainableModel model = ctx.loadModel(path, ModelOptions.defaults());
        Batch batch = model.newBatch(32);
        Feed feed =
            ctx.feed(model.signature().inputs())
                .from("x", "features")
                .from("y", "label")
                .batch(32)
                .synchronous()
                .open()) {
      while (feed.next(batch)) {
        rows += batch.rows();
        try (Gradients g = model.gradients(batch)) {
          if (ctx.allReduce(g).hasRows()) {
            model.apply(g);
          }
        }
      }
    }
    return rows;
  }
}
