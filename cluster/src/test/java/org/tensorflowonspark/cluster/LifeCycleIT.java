/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.config.Role;
import org.tensorflowonspark.cluster.control.Member;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.testkit.LocalCluster;

/** Starting, ending, and clusters beside and after each other, on two executors of two slots. */
class LifeCycleIT {
  private static LocalCluster spark;
  private Clean clean;

  @BeforeAll
  static void start() {
    spark = LocalCluster.builder().executors(2).cores(2).memoryMb(768).start();
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void before() {
    clean = Clean.beforeModels(spark);
  }

  private static TFCluster.Builder nodes(int workers) {
    return TFCluster.builder(spark.spark()).workers(workers);
  }

  @Test
  void tooFewSlotsAreToldWithHaveAndNeed() {
    Faults.Told told =
        Faults.timed(() -> nodes(5).start(ctx -> {}).close()).within(Duration.ofSeconds(5));
    assertThat(told.coded(ClusterError.TOO_FEW_SLOTS))
        .hasMessageContaining("Need 5 node places, have 4")
        .hasMessageContaining("2 executor(s) with [2, 2] slot(s)");
    clean.check();
  }

  @Test
  void asManyWorkersAsThereAreSlotsShareTheExecutors() {
    try (TFCluster<Long> cluster =
        TFCluster.builder(spark.spark())
            .workersFromSpark()
            .call(ctx -> ProcessHandle.current().pid())) {
      List<Member> members = cluster.members();
      assertThat(members).extracting(Member::rank).containsExactly(0, 1, 2, 3);
      assertThat(cluster.await())
          .isEqualTo(members.stream().map(Member::pid).toList())
          .satisfies(
              pids ->
                  assertThat(
                          pids.stream()
                              .collect(Collectors.groupingBy(p -> p, Collectors.counting()))
                              .values())
                      .containsExactly(2L, 2L));
    }
    clean.check();
  }

  @Test
  void twentyClustersOneAfterAnotherLeaveNothing() {
    for (int i = 0; i < 20; i++) {
      int number = i;
      try (TFCluster<Integer> cluster =
          nodes(2)
              .call(
                  ctx -> {
                    ctx.collective().barrier();
                    return number + ctx.rank();
                  })) {
        assertThat(cluster.await()).containsExactly(number, number + 1);
      }
    }
    clean.check();
  }

  @Test
  void twoClustersAtTheSameTimeDoNotMix() {
    String model = Data.model("multi-dim-mlp");
    List<CompletableFuture<List<Seen>>> both =
        List.of(0, 5000).stream()
            .map(
                first ->
                    CompletableFuture.supplyAsync(
                        () -> {
                          try (TFCluster<Seen> cluster =
                              nodes(2).call(ctx -> Seen.readInStep(ctx, model, 8, s -> {}))) {
                            cluster.train(
                                Seen.data(spark.spark(), first, 300, 10, 90), Epochs.of(2));
                            return cluster.await();
                          }
                        }))
            .toList();
    for (int i = 0; i < 2; i++) {
      List<Seen> nodes = both.get(i).join();
      Seen.assertExact(nodes, 5000 * i, 400, 2);
      assertThat(Seen.total(nodes)).isEqualTo(800);
    }
    clean.check();
  }

  @Test
  void aFailedClusterDoesNotDisturbAnother() {
    try (TFCluster<Seen> good = nodes(2).call(ctx -> Seen.read(ctx, 8, s -> {}))) {
      assertThatThrownBy(
              () -> {
                try (TFCluster<Void> bad =
                    nodes(2)
                        .start(
                            ctx -> {
                              throw new IllegalStateException("bad");
                            })) {
                  bad.train(Seen.data(spark.spark(), 0, 10), Epochs.of(1));
                }
              })
          .hasMessageContaining("bad");
      good.train(Seen.data(spark.spark(), 0, 50, 50), Epochs.of(1));
      Seen.assertExact(good.await(), 0, 100, 1);
    }
    clean.check();
  }

  @Test
  void anEvaluatorWorksBesideTheTrainingAndGetsNoRows() {
    try (TFCluster<String> cluster = nodes(2).evaluator().call(LifeCycleIT::describe)) {
      assertThat(cluster.members())
          .extracting(Member::role)
          .containsExactly(Role.CHIEF, Role.WORKER, Role.EVALUATOR);
      assertThat(cluster.train(Seen.data(spark.spark(), 0, 30, 30), Epochs.of(1)).rowsUsed())
          .isEqualTo(60);
      List<String> results = cluster.await();
      assertThat(results.get(2)).isEqualTo("evaluator:0 of 2");
      assertThat(results.subList(0, 2))
          .allMatch(r -> r.matches("(chief|worker):0 of 2, \\d+ rows"));
    }
    clean.check();
  }

  private static String describe(NodeContext ctx) throws Exception {
    String who = ctx.role().taskType() + ":" + ctx.taskIndex() + " of " + ctx.size();
    return ctx.role() == Role.EVALUATOR
        ? who
        : who + ", " + Seen.read(ctx, 8, s -> {}).rows().length + " rows";
  }

  @Test
  void anEvaluatorIsToldWhenTheTrainingIsOver() {
    try (TFCluster<String> cluster =
        nodes(2)
            .evaluator()
            .call(
                ctx -> {
                  while (ctx.role() == Role.EVALUATOR && !ctx.shouldStop()) {
                    Thread.sleep(10); // stands for a round of evaluation
                  }
                  return ctx.role().taskType();
                })) {
      assertThat(cluster.await()).containsExactly("chief", "worker", "evaluator");
    }
  }

  @Test
  void independentProgramsGiveTheirResultsByRank() {
    assertThat(TFParallel.run(spark.spark(), 4, ctx -> ctx.rank() * 10))
        .containsExactly(0, 10, 20, 30);
    byte[] big = TFParallel.run(spark.spark(), 1, ctx -> new byte[3_000_000]).get(0);
    assertThat(big).hasSize(3_000_000);
    clean.check();
  }

  @Test
  void aFailureAmongIndependentProgramsInterruptsTheOthers() {
    Faults.Told told =
        Faults.told(
            () ->
                TFParallel.run(
                    spark.spark(),
                    3,
                    ctx -> {
                      if (ctx.rank() == 2) {
                        throw new java.io.IOException("no such shard " + Faults.now());
                      }
                      Thread.sleep(60_000);
                      return 0;
                    }));
    assertThat(told.coded(ClusterError.NODE_FAILED))
        .hasMessageContaining("java.io.IOException: no such shard");
    clean.check();
  }

  @Test
  void aProgramThatCannotBeSentIsRefusedAtOnce() {
    Object local = new Object();
    assertThatThrownBy(() -> nodes(1).start(ctx -> System.out.println(local)))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("TFOS-CLUSTER-002")
        .hasMessageContaining("java.lang.Object");
    clean.check();
  }

  @Test
  void aResultThatCannotBeSentNamesItsClass() {
    assertThatThrownBy(() -> TFParallel.run(spark.spark(), 2, ctx -> new Object()))
        .hasMessageContaining("TFOS-CLUSTER-010")
        .hasMessageContaining("TFOS-CLUSTER-019")
        .hasMessageContaining("java.lang.Object");
    clean.check();
  }

  @Test
  void anExceptionOfTheDriverItselfComesOutAndEndsTheClusterInOrder() {
    assertThatThrownBy(
            () -> {
              try (TFCluster<Seen> cluster = nodes(2).call(ctx -> Seen.read(ctx, 8, s -> {}))) {
                throw new IllegalStateException("the driver's own after " + cluster.id());
              }
            })
        .hasMessageContaining("the driver's own")
        .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
    clean.check();
  }

  @Test
  void aClusterThatHasEndedSaysSo() {
    TFCluster<Seen> cluster = nodes(1).call(ctx -> Seen.read(ctx, 8, s -> {}));
    cluster.close();
    cluster.close();
    assertThatThrownBy(() -> cluster.train(Seen.data(spark.spark(), 0, 1), Epochs.of(1)))
        .hasMessageContaining("TFOS-CLUSTER-016");
    clean.check();
  }

  @Test
  void aProgramThatOutlastsTheCloseTimeoutIsNamed() {
    Faults.Told told =
        Faults.timed(
            () -> {
              try (TFCluster<Void> cluster =
                  nodes(2)
                      .option("spark.tfos.cluster.closeTimeout", "1s")
                      .start(
                          ctx -> {
                            if (ctx.rank() == 1) {
                              Thread.sleep(60_000);
                            }
                          })) {
                assertThat(cluster.members()).hasSize(2);
              }
            });
    assertThat(told.coded(ClusterError.CLOSE_TIMEOUT))
        .hasMessageContaining("1 program(s) still run")
        .hasMessageContaining("node 1 (worker:0)");
    clean.check();
  }
}
