/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.cluster.driver.FeedSummary;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.testkit.LocalCluster;

/** Feed tasks that fail are run again by Spark and feed each row once all the same. */
class FeedRetryIT {
  private static final int[] PARTITIONS = {20, 20, 20, 20, 400};
  private static final int ROWS = 480;
  private static final int LATE_ROW = 300;

  private static LocalCluster spark;

  @BeforeAll
  static void start() {
    spark = LocalCluster.builder().executors(2).cores(2).memoryMb(768).start();
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  private static Dataset<Row> data(MapFunction<Row, Row> each) {
    Dataset<Row> rows = Seen.data(spark.spark(), 0, PARTITIONS);
    return rows.map(each, Encoders.row(rows.schema()));
  }

  /** Counts attempts while {@code epochs} of {@code data} are fed to two nodes, each row once. */
  private static class Attempts extends SparkListener {
    private final AtomicInteger failed = new AtomicInteger();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd event) {
      if (event.taskInfo().failed()) {
        failed.incrementAndGet();
      }
    }

    void feed(Dataset<Row> data, Epochs epochs) {
      Clean clean = Clean.before(spark);
      spark.spark().sparkContext().addSparkListener(this);
      try (TFCluster<Seen> cluster =
          TFCluster.builder(spark.spark())
              .workers(2)
              .option("spark.tfos.feed.chunkBytes", "300")
              .option("spark.tfos.feed.queueBytes", "3k")
              .call(ctx -> Seen.read(ctx, 8, step -> {}))) {
        FeedSummary fed = cluster.train(data, epochs);
        assertThat(fed).isEqualTo(new FeedSummary(ROWS, (long) ROWS * epochs.count(), true));
        List<Seen> nodes = cluster.await();
        Seen.assertExact(nodes, 0, ROWS, epochs.count());
        assertThat(Seen.total(nodes)).isEqualTo((long) ROWS * epochs.count());
      } finally {
        spark.spark().sparkContext().removeSparkListener(this);
      }
      clean.check();
    }
  }

  private static List<Epochs> bothModes() {
    return List.of(Epochs.of(2), Epochs.of(1).deterministic());
  }

  @Test
  void aTaskThatFailsOnceGoesOnWhereItFailed() {
    for (Epochs epochs : bothModes()) {
      Attempts attempts = new Attempts();
      attempts.feed(
          data(
              row -> {
                if (row.getLong(0) == LATE_ROW && TaskContext.get().attemptNumber() == 0) {
                  throw new IllegalStateException("a passing trouble");
                }
                return row;
              }),
          epochs);
      assertThat(attempts.failed).hasPositiveValue();
    }
  }
}
