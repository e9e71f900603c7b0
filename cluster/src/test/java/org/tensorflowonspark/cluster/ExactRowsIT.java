/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.cluster.driver.FeedSummary;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.node.NodeFunction;
import org.tensorflowonspark.testkit.LocalCluster;

/** Every row once in each epoch, whatever the partitions, on three nodes of two executors. */
class ExactRowsIT {
  private static final int BATCH = 8;
  private static final int BASE = 10_000;

  private static final int[][] PARTITIONS = {
    {}, {0, 0, 0}, {13}, {0, 1, BATCH - 1, BATCH, BATCH + 1}, {1, 1000}, {600, 0, 0, 7, 0, 0, 1},
  };

  private static LocalCluster spark;

  @BeforeAll
  static void start() {
    spark = LocalCluster.builder().executors(2).cores(2).memoryMb(768).start();
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  private static List<Epochs> allEpochs() {
    List<Epochs> all = new ArrayList<>();
    for (int count : new int[] {1, 3}) {
      all.add(Epochs.of(count));
      all.add(Epochs.of(count).shuffled(5));
      all.add(Epochs.of(count).deterministic());
      all.add(Epochs.of(count).shuffled(5).deterministic());
    }
    return all;
  }

  private static List<Seen> run(TFCluster.Builder builder, NodeFunction<Seen> program) {
    Clean clean = Clean.beforeModels(spark);
    List<Seen> nodes;
    try (TFCluster<Seen> cluster = builder.workers(3).call(program)) {
      int first = 0;
      for (Epochs epochs : allEpochs()) {
        for (int[] sizes : PARTITIONS) {
          int rows = Arrays.stream(sizes).sum();
          FeedSummary fed = cluster.train(Seen.data(spark.spark(), first, sizes), epochs);
          assertThat(fed)
              .as("%s of %s", epochs, Arrays.toString(sizes))
              .isEqualTo(new FeedSummary(rows, (long) rows * epochs.count(), true));
          first += BASE;
        }
      }
      nodes = cluster.await();
    }
    clean.check();
    int first = 0;
    long total = 0;
    for (Epochs epochs : allEpochs()) {
      for (int[] sizes : PARTITIONS) {
        int rows = Arrays.stream(sizes).sum();
        Seen.assertExact(nodes, first, rows, epochs.count());
        total += (long) rows * epochs.count();
        first += BASE;
      }
    }
    assertThat(Seen.total(nodes)).isEqualTo(total);
    return nodes;
  }

  @Test
  void plainFeedsAreExact() {
    run(TFCluster.builder(spark.spark()), ctx -> Seen.read(ctx, BATCH, step -> {}));
  }

  @Test
  void synchronousFeedsAreExactAndTakeEqualSteps() {
    String model = Data.model("multi-dim-mlp");
    List<Seen> nodes =
        run(
            TFCluster.builder(spark.spark()),
            ctx -> Seen.readInStep(ctx, model, BATCH, step -> {}));
    assertThat(nodes).extracting(Seen::steps).containsOnly(nodes.get(0).steps());
  }

  @Test
  void queuesOfAFewRowsNeitherLoseRowsNorHoldStepsUp() {
    String model = Data.model("multi-dim-mlp");
    List<Seen> nodes =
        run(
            TFCluster.builder(spark.spark())
                .option("spark.tfos.feed.queueBytes", "1k")
                .option("spark.tfos.feed.chunkBytes", "300"),
            ctx -> Seen.readInStep(ctx, model, BATCH, step -> {}));
    assertThat(nodes).extracting(Seen::steps).containsOnly(nodes.get(0).steps());
  }
}
