/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.testkit.Eventually;

/** Driver, nodes and feed tasks in one process. */
class LocalModeIT {
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static void assertClean() {
    Eventually.within(
        Faults.promised(Duration.ofSeconds(5)),
        "our threads have ended",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(t -> t.getName().startsWith("tfos-")));
  }

  @Test
  void twoNodesTrainInStep() {
    String model = Data.model("multi-dim-mlp");
    for (Epochs epochs : List.of(Epochs.of(2), Epochs.of(2).shuffled(1).deterministic())) {
      try (TFCluster<Seen> cluster =
          TFCluster.builder(spark)
              .workers(2)
              .call(ctx -> Seen.readInStep(ctx, model, 8, s -> {}))) {
        cluster.train(Seen.data(spark, 0, 100, 3, 0, 30), epochs);
        List<Seen> nodes = cluster.await();
        Seen.assertExact(nodes, 0, 133, 2);
        assertThat(nodes.get(0).steps()).isEqualTo(nodes.get(1).steps());
      }
      assertClean();
    }
  }

  @Test
  void aFailureEndsTheClusterAndNotTheProcess() {
    assertThatThrownBy(
            () ->
                TFParallel.run(
                    spark,
                    2,
                    ctx -> {
                      if (ctx.isChief()) {
                        throw new IllegalStateException("bad");
                      }
                      Thread.sleep(60_000);
                      return 0;
                    }))
        .hasMessageContaining("bad");
    assertClean();
    Faults.timed(() -> TFParallel.run(spark, 3, ctx -> 0)).coded(ClusterError.TOO_FEW_SLOTS);
    assertThat(TFParallel.run(spark, 2, ctx -> ctx.rank())).containsExactly(0, 1);
    assertClean();
  }
}
