/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.cluster.control.Progress;
import org.tensorflowonspark.cluster.feed.Feed;
import org.tensorflowonspark.cluster.feed.FeedBuilder;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.Gradients;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.TrainableModel;

/**
 * The rows that one node saw, by number, and how many steps it took.
 *
 * @param rows numbers of rows, with the epoch in the upper half
 */
record Seen(long[] rows, int steps) implements Serializable {
  private static final StructType SCHEMA =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("values", DataTypes.createArrayType(DataTypes.FloatType, false), false)
          .add("label", DataTypes.LongType, false);

  /** What a program does with a step beside reading it. */
  interface OnStep extends Serializable {
    void on(int step) throws Exception;
  }

  /** Rows numbered from {@code first}, in partitions of these sizes. */
  static Dataset<Row> data(SparkSession spark, int first, int... sizes) {
    List<int[]> partitions = new ArrayList<>();
    int next = first;
    for (int size : sizes) {
      partitions.add(new int[] {next, size});
      next += size;
    }
    var rows =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(partitions, Math.max(1, sizes.length))
            .flatMap(
                p -> LongStream.range(p[0], (long) p[0] + p[1]).mapToObj(Seen::row).iterator());
    return spark.createDataFrame(rows, SCHEMA);
  }

  /** The row of number {@code id}, which also stands in its values. */
  static Row row(long id) {
    // A power of two keeps every number exact.
    return RowFactory.create(id, new Float[] {id / 1024f, 0f, 1f, 0f}, id % 3);
  }

  /** A program that reads the feed to its end. */
  static Seen read(NodeContext ctx, int batchSize, OnStep onStep) throws Exception {
    return read(ctx.feed(Data.NUMBERED), batchSize, onStep);
  }

  /** As {@link #read(NodeContext, int, OnStep)}, from a feed that was described before. */
  static Seen read(FeedBuilder builder, int batchSize, OnStep onStep) throws Exception {
    try (Batch batch = Batch.allocate(Data.NUMBERED, batchSize);
        Feed feed = builder.batch(batchSize).open()) {
      Rows rows = new Rows();
      while (feed.next(batch)) {
        onStep.on(rows.steps);
        ByteBuffer ids = batch.buffer("id");
        for (int i = 0; i < batch.rows(); i++) {
          rows.add(feed.epoch(), ids.getLong(i * Long.BYTES));
        }
        rows.steps++;
      }
      return rows.seen();
    }
  }

  /** As {@link #read}, in step with the other nodes. */
  static Seen readInStep(NodeContext ctx, String modelPath, int batchSize, OnStep onStep)
      throws Exception {
    return readInStep(ctx, modelPath, builder -> builder, batchSize, onStep);
  }

  /** As above, from a feed that is described further. */
  static Seen readInStep(
      NodeContext ctx,
      String modelPath,
      UnaryOperator<FeedBuilder> further,
      int batchSize,
      OnStep onStep)
      throws Exception {
    try (TrainableModel model = ctx.loadModel(modelPath, ModelOptions.defaults());
        Batch batch = model.newBatch(batchSize);
        Feed feed =
            further
                .apply(ctx.feed(model.signature().inputs()).from("x", "values").from("y", "label"))
                .batch(batchSize)
                .synchronous()
                .open()) {
      Rows rows = new Rows();
      while (feed.next(batch)) {
        onStep.on(rows.steps);
        ByteBuffer values = batch.buffer("x");
        for (int i = 0; i < batch.rows(); i++) {
          rows.add(feed.epoch(), (long) (values.getFloat(4 * i * Float.BYTES) * 1024));
        }
        try (Gradients g = model.gradients(batch)) {
          if (ctx.allReduce(g).hasRows()) {
            model.apply(g);
          }
        }
        rows.steps++;
      }
      return rows.seen();
    }
  }

  /** A step that reports itself, for a driver that waits for it. */
  static void report(NodeContext ctx, int step) {
    ctx.report(new Progress(0, step, 0, Map.of()));
  }

  /** Asserts that every row from {@code first} was seen once in each epoch, and none besides. */
  static void assertExact(List<Seen> nodes, int first, int count, int epochs) {
    for (int epoch = 0; epoch < epochs; epoch++) {
      long high = (long) epoch << 32;
      long[] got =
          nodes.stream()
              .flatMapToLong(n -> Arrays.stream(n.rows))
              .filter(r -> r >>> 32 == high >>> 32)
              .map(r -> r & 0xffffffffL)
              .filter(r -> r >= first && r < first + Math.max(count, 1))
              .sorted()
              .toArray();
      assertThat(got)
          .as("epoch %d of rows from %d", epoch, first)
          .isEqualTo(LongStream.range(first, first + count).toArray());
    }
  }

  /** Rows of all nodes, each as often as it was seen. */
  static long total(List<Seen> nodes) {
    return nodes.stream().mapToLong(n -> n.rows.length).sum();
  }

  private static final class Rows {
    private long[] rows = new long[1024];
    private int size;
    private int steps;

    void add(int epoch, long id) {
      if (size == rows.length) {
        rows = Arrays.copyOf(rows, 2 * size);
      }
      rows[size++] = (long) epoch << 32 | id;
    }

    Seen seen() {
      return new Seen(Arrays.copyOf(rows, size), steps);
    }
  }
}
