/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.config.ClusterOptions;
import org.tensorflowonspark.cluster.driver.FeedSummary;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.feed.Feed;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.testkit.LocalCluster;

/** Programs that stop reading, never begin to, or never open their feed. */
class EarlyEndIT {
  private static final Duration PROGRESS = Duration.ofSeconds(3);

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
    clean = Clean.before(spark);
  }

  private static TFCluster.Builder small() {
    // Queues of a few chunks, so that feed tasks have to wait for programs.
    return TFCluster.builder(spark.spark())
        .workers(2)
        .option(ClusterOptions.PROGRESS_TIMEOUT, PROGRESS)
        .option("spark.tfos.feed.queueBytes", "32k")
        .option("spark.tfos.feed.chunkBytes", "4k");
  }

  private static int readSome(NodeContext ctx, int steps) throws Exception {
    try (Batch batch = Batch.allocate(Data.NUMBERED, 10);
        Feed feed = ctx.feed(Data.NUMBERED).batch(10).open()) {
      int rows = 0;
      for (int step = 0; step < steps && feed.next(batch); step++) {
        rows += batch.rows();
      }
      return rows;
    }
  }

  @Test
  void feedingEndsWellWhenAllProgramsReturnEarly() {
    for (Epochs epochs : List.of(Epochs.of(1), Epochs.of(2).deterministic())) {
      try (TFCluster<Integer> cluster = small().call(ctx -> readSome(ctx, 5))) {
        FeedSummary fed =
            cluster.train(Seen.data(spark.spark(), 0, 20_000, 20_000, 20_000), epochs);
        assertThat(fed.complete()).isFalse();
        assertThat(fed.rowsUsed()).isEqualTo(100);
        assertThat(cluster.await()).containsExactly(50, 50);
      }
      clean.check();
    }
  }

  @Test
  void theOthersGetTheRowsOfANodeThatReturnsEarly() {
    try (TFCluster<Integer> cluster =
        small().call(ctx -> readSome(ctx, ctx.isChief() ? 1 : Integer.MAX_VALUE))) {
      FeedSummary fed = cluster.train(Seen.data(spark.spark(), 0, 20_000, 20_000), Epochs.of(1));
      assertThat(fed.complete()).isFalse();
      assertThat(cluster.await().get(1)).isGreaterThan(35_000);
    }
    clean.check();
  }

  @Test
  void aProgramThatReturnsAtOnceNeedsNoFeed() {
    try (TFCluster<Integer> cluster = small().call(ctx -> ctx.rank())) {
      FeedSummary fed = cluster.train(Seen.data(spark.spark(), 0, 100), Epochs.of(1));
      assertThat(fed).isEqualTo(new FeedSummary(0, 0, false));
      assertThat(cluster.await()).containsExactly(0, 1);
    }
    clean.check();
  }

  @Test
  void aFeedThatWasClosedHoldsNoTaskUp() {
    // The program goes on for long after it closed its feed.
    try (TFCluster<Integer> cluster =
        small()
            .call(
                ctx -> {
                  int rows = readSome(ctx, 1);
                  while (!ctx.shouldStop()) {
                    TimeUnit.MILLISECONDS.sleep(20);
                  }
                  return rows;
                })) {
      FeedSummary fed = cluster.train(Seen.data(spark.spark(), 0, 20_000, 20_000), Epochs.of(1));
      assertThat(fed.complete()).isFalse();
      FeedSummary again = cluster.train(Seen.data(spark.spark(), 0, 20_000, 20_000), Epochs.of(1));
      assertThat(again.complete()).isFalse();
      assertThat(again.rowsUsed()).isZero();
      cluster.abort();
    }
    clean.check();
  }

  @Test
  void aLoadedFeedCanBeClosedAndOpenedAgain() {
    try (TFCluster<Integer> cluster =
        small().call(ctx -> readLoaded(ctx) + 1000 * readLoaded(ctx))) {
      cluster.load("validation", Seen.data(spark.spark(), 0, 30, 20));
      assertThat(cluster.await()).containsExactly(30_030, 20_020);
    }
    clean.check();
  }

  private static int readLoaded(NodeContext ctx) throws Exception {
    try (Batch batch = Batch.allocate(Data.NUMBERED, 10);
        Feed feed = ctx.feed(Data.NUMBERED).named("validation").batch(10).open()) {
      int rows = 0;
      while (feed.next(batch)) {
        rows += batch.rows();
      }
      return rows;
    }
  }

  private static void openAndSleep(NodeContext ctx) throws InterruptedException {
    Feed feed = ctx.feed(Data.NUMBERED).batch(10).open();
    try {
      TimeUnit.SECONDS.sleep(30);
    } finally {
      feed.close();
    }
  }

  private static Faults.Told stuck(TFCluster.Builder builder, boolean open, int rows) {
    return Faults.timed(
        () -> {
          try (TFCluster<Void> cluster =
              builder.start(
                  ctx -> {
                    if (ctx.isChief()) {
                      readSome(ctx, Integer.MAX_VALUE);
                    } else if (open) {
                      openAndSleep(ctx);
                    } else {
                      TimeUnit.SECONDS.sleep(30);
                    }
                  })) {
            cluster.train(Seen.data(spark.spark(), 0, rows, rows), Epochs.of(1).deterministic());
          }
        });
  }

  @Test
  void aProgramThatNeverReadsIsNamedWhenItsRowsFitTheQueue() {
    assertNeverReads(stuck(small(), true, 50));
  }

  @Test
  void aProgramThatNeverReadsIsNamedWhenItsQueueIsFull() {
    assertNeverReads(stuck(small(), true, 20_000));
  }

  @Test
  void aFullQueueThatNobodyReadsIsNamed() {
    Faults.Told told =
        Faults.timed(
            () -> {
              try (TFCluster<Void> cluster =
                  small()
                      .start(
                          ctx -> {
                            openAndSleep(ctx);
                          })) {
                cluster.train(Seen.data(spark.spark(), 0, 20_000, 20_000), Epochs.of(1));
              }
            });
    TfosException error = told.coded(ClusterError.NO_PROGRESS);
    assertThat(error).hasMessageMatching("(?s).*[Nn]ode [01].*");
    assertThat(told.after()).isLessThan(Faults.promised(PROGRESS.plusSeconds(2)));
    clean.check();
  }

  private void assertNeverReads(Faults.Told told) {
    TfosException error = told.coded(ClusterError.NO_PROGRESS);
    assertThat(error).hasMessageContaining("node 1 (worker:0) on host 127.0.0.1");
    assertThat(told.after())
        .isGreaterThan(PROGRESS)
        .isLessThan(Faults.promised(PROGRESS.multipliedBy(2)));
    clean.check();
  }

  @Test
  void aProgramThatNeverOpensItsFeedIsNamed() {
    Faults.Told told = stuck(small(), false, 50);
    TfosException error = told.coded(ClusterError.NO_READER);
    assertThat(error)
        .hasMessageContaining("node 1 (worker:0) on host 127.0.0.1")
        .hasMessageContaining("which runs its program");
    assertThat(told.after())
        .isGreaterThan(PROGRESS)
        .isLessThan(Faults.promised(PROGRESS.plusSeconds(2)));
    clean.check();
  }
}
