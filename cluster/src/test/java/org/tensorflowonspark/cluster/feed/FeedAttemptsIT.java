/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.cluster.columns.ColumnPlan;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.cluster.config.ClusterOptions;
import org.tensorflowonspark.cluster.control.Activity;
import org.tensorflowonspark.cluster.control.Event;
import org.tensorflowonspark.cluster.transport.NodeAddress;
import org.tensorflowonspark.cluster.transport.TransportSettings;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.DType;
import org.tensorflowonspark.tensorflow.TensorSpec;

/**
 * Attempts of one feed task that run at the same time, as Spark starts them when it speculates. On
 * one machine Spark does not, since it wants another host, so they are started here.
 */
class FeedAttemptsIT {
  private static final int ROWS = 400;
  private static final TensorSpec ID = TensorSpec.of("id", DType.INT64, -1);
  private static final List<ColumnTarget> TARGETS =
      List.of(ColumnTarget.of("id", "id", DType.INT64, new long[0]));

  private static SparkSession spark;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<FeedReceiver> receivers = new ArrayList<>();

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void end() {
    receivers.forEach(FeedReceiver::close);
    threads.shutdownNow();
  }

  private FeedTask task(boolean byRule) {
    FeedSettings settings =
        FeedSettings.from(
            ClusterOptions.TABLE.resolve(
                Map.of(
                    ClusterOptions.CHUNK_BYTES.key(), "64",
                    ClusterOptions.QUEUE_BYTES.key(), "1k"),
                Map.of()));
    List<NodeAddress> addresses = new ArrayList<>();
    for (int reader = 0; reader < 2; reader++) {
      FeedReceiver receiver =
          new FeedReceiver(FeedJob.clusterKey("attempts", 0), reader, 2, settings);
      receiver.on(
          new Event.FeedStarted(
              "train", 0, 1, 1, false, 0, byRule, false, spark.sparkContext().newRddId()));
      receivers.add(receiver);
      addresses.add(new NodeAddress(reader, "127.0.0.1", "here", 1, ""));
    }
    return new FeedTask(
        new FeedJob(
            "attempts",
            0,
            new byte[32],
            "train",
            0,
            ColumnPlan.of(new StructType().add("id", DataTypes.LongType, false), TARGETS),
            addresses,
            byRule,
            false,
            settings,
            TransportSettings.of(Map.of())));
  }

  /** The rows of the partition, each after {@code before} has seen its number. */
  private static Iterator<InternalRow> rows(LongConsumer before) {
    return LongStream.range(0, ROWS)
        .mapToObj(
            id -> {
              before.accept(id);
              return (InternalRow) new GenericInternalRow(new Object[] {id});
            })
        .iterator();
  }

  private static void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private CompletableFuture<Long> attempt(FeedTask task, int number, LongConsumer before) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return task.run(0, number, rows(before));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        threads);
  }

  /** Reads all receivers to their end; the rows they got, in order. */
  private long[] readAll() {
    List<CompletableFuture<long[]>> readers =
        receivers.stream().map(r -> CompletableFuture.supplyAsync(() -> read(r), threads)).toList();
    return readers.stream().flatMapToLong(r -> Arrays.stream(r.join())).sorted().toArray();
  }

  private static long[] read(FeedReceiver receiver) {
    LongStream.Builder ids = LongStream.builder();
    FeedReceiver.Driver driver =
        new FeedReceiver.Driver() {
          @Override
          public void opened(String feed, byte[] spec) {}

          @Override
          public void done(String feed, int session, long rows, boolean complete) {}
        };
    try (Batch batch = Batch.allocate(List.of(ID), 8);
        Feed feed =
            new Feed(
                "train",
                TARGETS,
                8,
                null,
                new SessionEpochs("train", receiver, driver, new Activity()),
                new Activity())) {
      while (feed.next(batch)) {
        for (int i = 0; i < batch.rows(); i++) {
          ids.add(batch.buffer("id").getLong(i * Long.BYTES));
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return ids.build().toArray();
  }

  private void complete() {
    receivers.forEach(r -> r.on(new Event.FeedComplete("train", 0, ROWS)));
    receivers.forEach(r -> r.on(new Event.NoMoreFeeds()));
  }

  private static long[] all() {
    return LongStream.range(0, ROWS).toArray();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFasterAttemptOvertakesASlowOneWithoutFeedingARowTwice(boolean byRule) {
    FeedTask task = task(byRule);
    CompletableFuture<long[]> got = CompletableFuture.supplyAsync(this::readAll, threads);
    CompletableFuture<Void> slowIsHalfWay = new CompletableFuture<>();
    CompletableFuture<Long> slow =
        attempt(
            task,
            0,
            id -> {
              if (id == ROWS / 2) {
                slowIsHalfWay.complete(null);
              }
              pause(id < ROWS / 2 ? 1 : 20);
            });
    slowIsHalfWay.join();
    // A later stage attempt has a number far above.
    assertThat(attempt(task, 1 << 16, id -> {}).join()).isEqualTo(ROWS);
    // Not a failure that Spark would count against the job.
    assertThatThrownBy(slow::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(TaskKilledException.class)
        .hasMessageContaining("TFOS-FEED-008");
    complete();
    assertThat(got.join()).isEqualTo(all());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void manyEquallySlowAttemptsComeToAnEnd(boolean byRule) {
    FeedTask task = task(byRule);
    CompletableFuture<long[]> got = CompletableFuture.supplyAsync(this::readAll, threads);
    List<CompletableFuture<Long>> attempts = Collections.synchronizedList(new ArrayList<>());
    int started = 0;
    LongConsumer slow = id -> pause(2);
    attempts.add(attempt(task, started++, slow));
    // Each new one starts long before the one before it could have fed all rows.
    while (attempts.stream().noneMatch(a -> a.isDone() && !a.isCompletedExceptionally())) {
      pause(150);
      attempts.add(attempt(task, started++, slow));
      assertThat(attempts).hasSizeLessThan(100);
    }
    complete();
    assertThat(got.join()).isEqualTo(all());
  }

  @Test
  void anAttemptThatFindsFewerRowsThanBeforeFails() throws InterruptedException {
    FeedTask task = task(false);
    CompletableFuture<long[]> got = CompletableFuture.supplyAsync(this::readAll, threads);
    assertThatThrownBy(
            () ->
                attempt(
                        task,
                        0,
                        id -> {
                          if (id == 300) {
                            throw new IllegalStateException("lost");
                          }
                        })
                    .join())
        .hasMessageContaining("lost");
    assertThatThrownBy(() -> task.run(0, 1, Collections.emptyIterator()))
        .hasMessageContaining("TFOS-FEED-004")
        .hasMessageContaining("rows now");
    complete();
    assertThat(got.join()).hasSizeBetween(250, 300);
  }
}
