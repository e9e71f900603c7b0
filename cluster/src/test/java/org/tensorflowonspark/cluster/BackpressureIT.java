/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.cluster.driver.FeedSummary;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.feed.Feed;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.DType;
import org.tensorflowonspark.tensorflow.TensorSpec;
import org.tensorflowonspark.testkit.LocalCluster;

/** A reader slower than the feed holds it back, and memory stays within the queue's budget. */
class BackpressureIT {
  private static final int FLOATS = 1024;
  private static final int ROW_BYTES = FLOATS * Float.BYTES;
  private static final int QUEUE_BYTES = 1 << 20;
  private static final int ROWS = 10 * QUEUE_BYTES / ROW_BYTES;
  private static final int BATCH = 16;
  private static final List<TensorSpec> COLUMNS =
      List.of(TensorSpec.of("values", DType.FLOAT32, -1, FLOATS));

  /** Rows that the source gave in this process. */
  private static final AtomicLong GIVEN = new AtomicLong();

  private static Dataset<Row> data(LocalCluster spark) {
    var rows =
        JavaSparkContext.fromSparkContext(spark.spark().sparkContext())
            .parallelize(List.of(0), 1)
            .flatMap(
                p ->
                    java.util.stream.LongStream.range(0, ROWS)
                        .mapToObj(BackpressureIT::row)
                        .iterator());
    return spark
        .spark()
        .createDataFrame(
            rows,
            new StructType()
                .add("values", DataTypes.createArrayType(DataTypes.FloatType, false), false));
  }

  private static Row row(long id) {
    GIVEN.incrementAndGet();
    Float[] values = new Float[FLOATS];
    java.util.Arrays.fill(values, (float) id);
    return RowFactory.create((Object) values);
  }

  /** Rows read, and the most that were on their way at any time. */
  private static long[] readSlowly(NodeContext ctx) throws Exception {
    long before = GIVEN.get();
    long read = 0;
    long most = 0;
    try (Batch batch = Batch.allocate(COLUMNS, BATCH);
        Feed feed = ctx.feed(COLUMNS).batch(BATCH).open()) {
      while (feed.next(batch)) {
        read += batch.rows();
        Thread.sleep(5);
        most = Math.max(most, GIVEN.get() - before - read);
      }
    }
    return new long[] {read, most};
  }

  @Test
  void aFullQueueHoldsTheFeedBack() {
    try (LocalCluster spark = LocalCluster.builder().executors(1).cores(1).memoryMb(512).start()) {
      Clean clean = Clean.before(spark);
      for (Epochs epochs : List.of(Epochs.of(1), Epochs.of(1).deterministic(), Epochs.of(2))) {
        try (TFCluster<long[]> cluster =
            TFCluster.builder(spark.spark())
                .workers(1)
                .option("spark.tfos.feed.queueBytes", Integer.toString(QUEUE_BYTES))
                .option("spark.tfos.feed.chunkBytes", "64k")
                .call(BackpressureIT::readSlowly)) {
          assertThat(cluster.train(data(spark), epochs))
              .isEqualTo(new FeedSummary(ROWS, (long) ROWS * epochs.count(), true));
          long[] read = cluster.await().get(0);
          assertThat(read[0]).isEqualTo((long) ROWS * epochs.count());
          // The queue, the chunk that is built, the one that is read, and one that waits.
          assertThat(read[1]).isLessThan((QUEUE_BYTES + 4 * (64 << 10)) / ROW_BYTES);
        }
        clean.check();
      }
    }
  }
}
