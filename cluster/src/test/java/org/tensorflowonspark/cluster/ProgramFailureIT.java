/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.driver.NodeFailedException;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.cluster.node.NodeProgram;
import org.tensorflowonspark.testkit.LocalCluster;

/** Programs that fail, each in its own way, among three nodes. */
class ProgramFailureIT {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static LocalCluster spark;
  private Clean clean;

  @BeforeAll
  static void start() {
    spark = LocalCluster.builder().executors(3).cores(1).memoryMb(768).start();
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void before() {
    clean = Clean.beforeModels(spark);
  }

  private void train(NodeProgram program) {
    try (TFCluster<Void> cluster = TFCluster.builder(spark.spark()).workers(3).start(program)) {
      cluster.train(Seen.data(spark.spark(), 0, 4000, 4000, 4000), Epochs.of(1000));
    }
  }

  private static void bug(NodeContext ctx, int step) {
    if (ctx.rank() == 1 && step == 5) {
      throw new ArithmeticException("a bug " + Faults.now());
    }
  }

  private static void assertIsTheBug(Faults.Told told) {
    NodeFailedException error = (NodeFailedException) told.coded(ClusterError.NODE_FAILED);
    assertThat(error.node().rank()).isEqualTo(1);
    assertThat(error.step()).isEqualTo(6);
    assertThat(error)
        .hasMessageContaining("Node 1 (worker:0) on host 127.0.0.1")
        .hasMessageContaining("step 6")
        .hasMessageContaining("java.lang.ArithmeticException: a bug");
    Throwable cause = Objects.requireNonNull(error.getCause());
    assertThat(cause).hasMessageContaining("java.lang.ArithmeticException: a bug");
    assertThat(cause.getStackTrace()[0].getMethodName()).isEqualTo("bug");
    assertThat(cause.getStackTrace()[0].getClassName()).isEqualTo(ProgramFailureIT.class.getName());
  }

  @Test
  void anExceptionOfOneNodeInStepEndsAllAndIsTheCause() {
    String model = Data.model("multi-dim-mlp");
    assertIsTheBug(
        Faults.told(() -> train(ctx -> Seen.readInStep(ctx, model, 8, step -> bug(ctx, step))))
            .within(SOON));
    clean.check();
  }

  @Test
  void anExceptionOfOneNodeThatNobodyWaitsForEndsAllAsWell() {
    assertIsTheBug(
        Faults.told(() -> train(ctx -> Seen.read(ctx, 8, step -> bug(ctx, step)))).within(SOON));
    clean.check();
  }

  @Test
  void failuresOfAllNodesAtOnceComeOutAsOne() {
    Faults.Told told =
        Faults.told(
            () ->
                train(
                    ctx -> {
                      ctx.collective().barrier();
                      throw new IllegalStateException("all fail " + Faults.now());
                    }));
    told.within(SOON).coded(ClusterError.NODE_FAILED);
    assertThat(told.error().getSuppressed())
        .allSatisfy(e -> assertThat(e).isInstanceOf(NodeFailedException.class));
    clean.check();
  }

  @Test
  void anErrorIsAFailureToo() {
    assertThatThrownBy(
            () ->
                train(
                    ctx -> {
                      if (ctx.isChief()) {
                        throw new NoClassDefFoundError("org/example/Missing");
                      }
                      ctx.collective().barrier();
                    }))
        .hasMessageContaining("Node 0 (chief:0)")
        .hasMessageContaining("NoClassDefFoundError: org/example/Missing");
    clean.check();
  }

  @Test
  void exitAndHaltInAProgramAreToldWithTheirCode() {
    for (boolean halt : new boolean[] {false, true}) {
      Faults.Told told =
          Faults.inject(
              new java.util.concurrent.CountDownLatch(0),
              () -> {},
              () ->
                  train(
                      ctx ->
                          Seen.read(
                              ctx,
                              8,
                              step -> {
                                if (ctx.rank() == 2 && step == 3) {
                                  end(halt);
                                }
                              })));
      NodeFailedException error = (NodeFailedException) told.coded(ClusterError.NODE_LOST);
      assertThat(error.node().rank()).isEqualTo(2);
      assertThat(error).hasMessageContaining("exited with code " + (halt ? 4 : 3));
      clean.checkAfterKill();
      clean = Clean.before(spark);
    }
  }

  private static void end(boolean halt) {
    if (halt) {
      Runtime.getRuntime().halt(4);
    } else {
      System.exit(3);
    }
  }

  @Test
  void aNodeThatReturnsEarlyWhileOthersStepFailsThem() {
    String model = Data.model("multi-dim-mlp");
    assertThatThrownBy(
            () ->
                train(
                    ctx -> {
                      if (ctx.rank() != 2) {
                        Seen.readInStep(ctx, model, 8, step -> {});
                      }
                    }))
        .isInstanceOf(NodeFailedException.class)
        .hasStackTraceContaining("program of node 2 (worker:1)");
    clean.check();
  }

  @Test
  void aFailureWhileNobodyAsksIsThrownByClose() {
    TFCluster<Void> cluster =
        TFCluster.builder(spark.spark())
            .workers(3)
            .start(
                ctx -> {
                  if (ctx.isChief()) {
                    throw new IllegalStateException("unheard");
                  }
                  Seen.read(ctx, 8, step -> {});
                });
    assertThatThrownBy(cluster::close).hasMessageContaining("unheard");
    clean.check();
  }

  @Test
  void aProgramThatIgnoresItsInterruptHoldsNothingUp() {
    // Waits as native code would: deaf to interrupts, but not for ever.
    Faults.Told told =
        Faults.told(
            () ->
                train(
                    ctx -> {
                      if (ctx.isChief()) {
                        throw new IllegalStateException("over " + Faults.now());
                      }
                      long end = System.nanoTime() + 4_500_000_000L;
                      while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                      }
                    }));
    assertThat(told.error()).hasMessageContaining("over");
    clean.check();
  }

  @Test
  void theNextClusterOfTheApplicationWorks() {
    assertThatThrownBy(
            () ->
                train(
                    ctx -> {
                      throw new IllegalStateException("bad");
                    }))
        .hasMessageContaining("bad");

    try (TFCluster<Seen> cluster =
        TFCluster.builder(spark.spark()).workers(3).call(ctx -> Seen.read(ctx, 8, s -> {}))) {
      assertThat(cluster.train(Seen.data(spark.spark(), 0, 40, 3), Epochs.of(2)).rowsUsed())
          .isEqualTo(86);
      List<Seen> nodes = cluster.await();
      Seen.assertExact(nodes, 0, 43, 2);
    }
    clean.check();
  }
}
