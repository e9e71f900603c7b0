/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.config.ClusterOptions;
import org.tensorflowonspark.cluster.control.Member;
import org.tensorflowonspark.cluster.driver.NodeFailedException;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.cluster.node.NodeFunction;
import org.tensorflowonspark.testkit.Eventually;
import org.tensorflowonspark.testkit.ExecutorProcess;
import org.tensorflowonspark.testkit.LocalCluster;

/** Executors that are killed, or that fall silent, at different moments of a cluster's life. */
class LostExecutorIT {
  private static final Duration SOON = Duration.ofSeconds(2);

  private static LocalCluster spark;
  private Clean clean;

  @BeforeAll
  static void start() {
    spark = LocalCluster.builder().executors(2).cores(1).memoryMb(768).start();
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void before() {
    clean = Clean.beforeModels(spark);
  }

  private static ExecutorProcess executor(TFCluster<?> cluster, int rank) {
    Member member = cluster.members().get(rank);
    ExecutorProcess process = spark.executor(member.executorId());
    assertThat(process.pid()).isEqualTo(member.pid());
    return process;
  }

  private static void assertLost(Faults.Told told, int rank) {
    NodeFailedException error = (NodeFailedException) told.coded(ClusterError.NODE_LOST);
    assertThat(error.node().rank()).isEqualTo(rank);
    assertThat(error)
        .hasMessageContaining("Node " + rank)
        .hasMessageContaining("on host 127.0.0.1")
        .hasMessageContaining("137");
  }

  @Test
  void anExecutorKilledInMidStepIsNamed() {
    String model = Data.model("multi-dim-mlp");
    for (int rank : new int[] {1, 0}) {
      CountDownLatch stepping = new CountDownLatch(20);
      Faults.Told told;
      try (TFCluster<Seen> cluster =
          TFCluster.builder(spark.spark())
              .workers(2)
              .onProgress(p -> stepping.countDown())
              .call(ctx -> Seen.readInStep(ctx, model, 8, step -> Seen.report(ctx, step)))) {
        told =
            Faults.inject(
                    stepping,
                    executor(cluster, rank)::kill,
                    () -> cluster.train(Seen.data(spark.spark(), 0, 5000, 5000), Epochs.of(1000)))
                .within(SOON);
      }
      assertLost(told, rank);
      clean.checkAfterKill();
      clean = Clean.beforeModels(spark);
    }
  }

  @Test
  void anExecutorKilledWhileFeedTasksWaitIsNamed() {
    CountDownLatch fed = new CountDownLatch(1);
    Faults.Told told;
    try (TFCluster<Seen> cluster =
        TFCluster.builder(spark.spark())
            .workers(2)
            .option("spark.tfos.feed.queueBytes", "16k")
            .option("spark.tfos.feed.chunkBytes", "4k")
            .onProgress(p -> fed.countDown())
            .call(ctx -> Seen.read(ctx, 8, step -> stall(ctx, step)))) {
      told =
          Faults.inject(
                  fed,
                  executor(cluster, 1)::kill,
                  () -> cluster.train(Seen.data(spark.spark(), 0, 5000, 5000), Epochs.of(1)))
              .within(SOON);
    }
    assertLost(told, 1);
    clean.checkAfterKill();
  }

  private static void stall(NodeContext ctx, int step) throws InterruptedException {
    Seen.report(ctx, step);
    TimeUnit.SECONDS.sleep(30);
  }

  @Test
  void anExecutorKilledWhileIdleIsNamedByTheNextCall() throws InterruptedException {
    TFCluster<Seen> cluster =
        TFCluster.builder(spark.spark()).workers(2).call(ctx -> Seen.read(ctx, 8, s -> {}));
    ExecutorProcess victim = executor(cluster, 1);
    victim.kill();
    Faults.Told told = Faults.timed(cluster::await).within(SOON);
    assertLost(told, 1);
    cluster.close(); // has nothing more to say
    clean.checkAfterKill();
  }

  @Test
  void anExecutorKilledBeforeAllHaveCheckedInFailsTheStart() {
    // A job holds the slots of one executor, so its node cannot start.
    var context = spark.spark().sparkContext();
    List<ExecutorProcess> executors = spark.executors();
    CountDownLatch checkedIn = new CountDownLatch(1);
    AtomicReference<ExecutorProcess> first = new AtomicReference<>();
    Thread holder =
        new Thread(
            () -> {
              try {
                context.setJobGroup("holder", "holds a slot", true);
                spark.spark().range(0, 1, 1, 1).javaRDD().foreach(x -> Thread.sleep(20_000));
              } catch (Exception e) {
                checkedIn.countDown();
              }
            },
            "holder");
    holder.start();
    Eventually.within(
        Duration.ofSeconds(10),
        "the slot is held",
        () -> context.statusTracker().getActiveJobIds().length > 0);
    Thread watcher =
        new Thread(
            () -> {
              first.set(
                  Eventually.value(
                      Duration.ofSeconds(10),
                      "a node runs",
                      () ->
                          executors.stream()
                              .filter(e -> clean.hasThreads(e.pid()))
                              .findFirst()
                              .orElse(null)));
              checkedIn.countDown();
            },
            "watcher");
    watcher.start();
    Faults.Told told =
        Faults.inject(
                checkedIn,
                () -> Objects.requireNonNull(first.get()).kill(),
                () ->
                    TFCluster.builder(spark.spark())
                        .workers(2)
                        .call(ctx -> Seen.read(ctx, 8, s -> {})))
            .within(SOON);
    NodeFailedException error = (NodeFailedException) told.coded(ClusterError.NODE_LOST);
    assertThat(error.node().pid()).isEqualTo(Objects.requireNonNull(first.get()).pid());
    assertThat(error).hasMessageContaining("waits for the other nodes to start");
    context.cancelJobGroup("holder");
    clean.checkAfterKill();
  }

  /** Halts the executor in which it is read for the first time. */
  private static final class DeadlyOnce implements NodeFunction<Long> {
    private static final long serialVersionUID = 1L;
    private final String marker;

    DeadlyOnce(Path marker) {
      this.marker = marker.toString();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      try {
        Files.createFile(Path.of(marker));
        Runtime.getRuntime().halt(9);
      } catch (FileAlreadyExistsException e) {
        Files.writeString(Path.of(marker), "again");
      }
    }

    @Override
    public Long run(NodeContext ctx) {
      return ProcessHandle.current().pid();
    }
  }

  @Test
  void anExecutorKilledBeforeItsNodeCheckedInIsReplaced(@TempDir Path temp) {
    List<Long> pids = TFParallel.run(spark.spark(), 2, new DeadlyOnce(temp.resolve("died")));
    assertThat(pids).hasSize(2);
    clean.checkAfterKill();
  }

  @Test
  void aSilentExecutorIsNamed() {
    silent(null, Duration.ofSeconds(10));
  }

  @Test
  void theTimeOfSilenceCanBeSet() {
    silent(Duration.ofSeconds(2), Duration.ofSeconds(4));
  }

  private void silent(@Nullable Duration silence, Duration limit) {
    CountDownLatch stepping = new CountDownLatch(20);
    var builder = TFCluster.builder(spark.spark()).workers(2).onProgress(p -> stepping.countDown());
    if (silence != null) {
      builder.option(ClusterOptions.SILENCE_TIMEOUT, silence);
    }
    ExecutorProcess victim;
    Faults.Told told;
    try (TFCluster<Seen> cluster =
        builder.call(ctx -> Seen.read(ctx, 8, step -> Seen.report(ctx, step)))) {
      victim = executor(cluster, 1);
      told =
          Faults.inject(
                  stepping,
                  victim::suspend,
                  () -> cluster.train(Seen.data(spark.spark(), 0, 5000, 5000), Epochs.of(1000)))
              .within(limit);
    }
    NodeFailedException error = (NodeFailedException) told.coded(ClusterError.NODE_SILENT);
    assertThat(error.node().rank()).isEqualTo(1);
    assertThat(error).hasMessageContaining("silent for");
    victim.resume();
    clean.check();
  }
}
