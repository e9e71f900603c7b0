/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.testkit.DriverProcess;
import org.tensorflowonspark.testkit.Eventually;
import org.tensorflowonspark.testkit.ExecutorProcess;
import org.tensorflowonspark.testkit.LocalCluster;

/** Ends that come from outside: a cancelled job group, an interrupt, a stopped or killed driver. */
class CancelIT {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration GONE = Duration.ofSeconds(5);
  private static final Duration MINUTES = Duration.ofMinutes(2);

  private static TFCluster<Seen> stepping(LocalCluster spark, CountDownLatch steps) {
    String model = Data.model("multi-dim-mlp");
    return TFCluster.builder(spark.spark())
        .workers(2)
        .option("spark.tfos.feed.queueBytes", "32k")
        .option("spark.tfos.feed.chunkBytes", "4k")
        .onProgress(p -> steps.countDown())
        .call(ctx -> Seen.readInStep(ctx, model, 8, step -> Seen.report(ctx, step)));
  }

  private static void trainForLong(LocalCluster spark, TFCluster<Seen> cluster) {
    cluster.train(Seen.data(spark.spark(), 0, 200_000, 200_000), Epochs.of(1));
  }

  @Test
  void aCancelledJobGroupAndAnInterruptEndTheClusterAndNothingElse() {
    try (LocalCluster spark = LocalCluster.builder().executors(2).cores(1).memoryMb(768).start()) {
      var context = spark.spark().sparkContext();
      Clean clean = Clean.beforeModels(spark);
      CountDownLatch steps = new CountDownLatch(20);
      try (TFCluster<Seen> cluster = stepping(spark, steps)) {
        context.setJobGroup("mine", "training", false);
        Faults.Told told =
            Faults.inject(
                steps, () -> context.cancelJobGroup("mine"), () -> trainForLong(spark, cluster));
        assertThat(told.within(SOON.plusSeconds(1)).coded(ClusterError.CANCELLED))
            .hasMessageContaining("job group mine");
      } finally {
        context.clearJobGroup();
      }
      clean.check();

      clean = Clean.beforeModels(spark);
      CountDownLatch again = new CountDownLatch(20);
      Thread caller = Thread.currentThread();
      try (TFCluster<Seen> cluster = stepping(spark, again)) {
        Faults.Told told =
            Faults.inject(again, caller::interrupt, () -> trainForLong(spark, cluster));
        assertThat(told.within(SOON.plusSeconds(1)).coded(ClusterError.CANCELLED))
            .hasMessageContaining("interrupted");
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      clean.check();

      try (TFCluster<Seen> cluster = stepping(spark, new CountDownLatch(1))) {
        cluster.train(Seen.data(spark.spark(), 0, 100), Epochs.of(1));
        Seen.assertExact(cluster.await(), 0, 100, 1);
      }
    }
  }

  @Test
  void stoppingTheContextInMidStepEndsTheCluster() {
    try (LocalCluster spark = LocalCluster.builder().executors(2).cores(1).memoryMb(768).start()) {
      CountDownLatch steps = new CountDownLatch(20);
      List<ExecutorProcess> executors = spark.executors();
      TFCluster<Seen> cluster = stepping(spark, steps);
      Faults.Told told =
          Faults.inject(
              steps,
              () -> new Thread(spark.spark().sparkContext()::stop, "stopper").start(),
              () -> trainForLong(spark, cluster));
      told.within(SOON).coded(ClusterError.CONTEXT_STOPPED);
      assertThat(catchThrowable(cluster::close)).isNull();
      Eventually.within(
          Faults.promised(GONE),
          "executors and our threads are gone",
          () ->
              executors.stream().noneMatch(ExecutorProcess::isAlive)
                  && Thread.getAllStackTraces().keySet().stream()
                      .noneMatch(t -> t.getName().startsWith("tfos-")));
    }
  }

  /** A driver that trains until somebody ends it. */
  static final class Driver {
    private Driver() {}

    public static void main(String[] args) {
      try (LocalCluster spark =
          LocalCluster.builder().executors(2).cores(1).memoryMb(768).start()) {
        CountDownLatch steps = new CountDownLatch(20);
        try (TFCluster<Seen> cluster = stepping(spark, steps)) {
          CompletableFuture<Void> ready =
              CompletableFuture.runAsync(
                  () -> {
                    Faults.open(steps);
                    System.out.println("steps " + cluster.id() + " in " + spark.tempDir() + " .");
                  });
          trainForLong(spark, cluster);
          ready.join();
        }
      }
    }
  }

  @Test
  void executorsAndFilesGoWithAKilledDriver() {
    ends(DriverProcess::kill, 137);
  }

  @Test
  void executorsAndFilesGoWithATerminatedDriver() {
    ends(DriverProcess::terminate, 143);
  }

  private static void ends(java.util.function.Consumer<DriverProcess> end, int exitCode) {
    try (DriverProcess driver = DriverProcess.of(Driver.class).start()) {
      driver.awaitOutput(" .", MINUTES);
      String[] words =
          driver.output().replaceAll("(?s).*(steps \\S+ in \\S+ \\.).*", "$1").split(" ", -1);
      Path temp = Path.of(words[3]);
      List<ExecutorProcess> executors = driver.executors();
      assertThat(executors).hasSize(2);
      assertThat(ours(temp, words[1])).isNotEmpty();

      end.accept(driver);
      // Spark's own end of an executor comes on top of our five seconds.
      executors.forEach(e -> e.awaitEnd(Faults.promised(GONE.multipliedBy(2))));
      assertThat(driver.waitFor(MINUTES)).isEqualTo(exitCode);
      Eventually.within(GONE, "our files are gone", () -> ours(temp, words[1]).isEmpty());
    }
  }

  private static List<Path> ours(Path temp, String id) {
    try (Stream<Path> files = Files.exists(temp) ? Files.walk(temp) : Stream.empty()) {
      return files.filter(f -> f.getFileName().toString().contains(id)).toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
