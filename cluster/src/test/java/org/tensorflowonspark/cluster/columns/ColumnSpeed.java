/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.tensorflowonspark.tensorflow.DType;

/**
 * A program that prints how many rows of 784 numbers and a label a second one core packs into
 * chunks and copies out of them, beside the bare copy of the same rows.
 */
final class ColumnSpeed {
  private static final int WIDTH = 784;
  private static final int BATCH = 128;
  private static final int ROWS = 2048;

  private ColumnSpeed() {}

  public static void main(String[] args) {
    System.out.printf("%-44s %12s%n", "", "rows/s");
    List<UnsafeRow> floats = rows(DataTypes.FloatType);
    for (int round = 0; round < 2; round++) {
      report("bare copy of the array (limit)", ROWS, bareCopy(floats));
      append("float[784] to float32", DataTypes.FloatType, DType.FLOAT32, true);
      append("float[784] to float32, new memory", DataTypes.FloatType, DType.FLOAT32, false);
      append("double[784] to float32", DataTypes.DoubleType, DType.FLOAT32, true);
      append("int[784] to float32", DataTypes.IntegerType, DType.FLOAT32, true);
      append("byte[784] to float32", DataTypes.ByteType, DType.FLOAT32, true);
      append("float[784] to float64", DataTypes.FloatType, DType.FLOAT64, true);
      ragged();
      copies();
    }
  }

  private static StructType schema(DataType element) {
    return Rows.schema("image", Rows.arrayOf(element), "label", DataTypes.LongType);
  }

  private static ColumnPlan plan(DataType element, DType dtype) {
    return ColumnPlan.of(
        schema(element),
        List.of(
            ColumnTarget.of("x", "image", dtype, WIDTH),
            ColumnTarget.of("y", "label", DType.INT64)));
  }

  private static List<UnsafeRow> rows(DataType element) {
    Random random = new Random(1);
    List<UnsafeRow> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      Object[] image = new Object[WIDTH];
      for (int j = 0; j < WIDTH; j++) {
        int value = random.nextInt(100);
        image[j] =
            switch (element.typeName()) {
              case "float" -> (float) value;
              case "double" -> (double) value;
              case "byte" -> (byte) value;
              default -> value;
            };
      }
      rows.add((UnsafeRow) Rows.unsafe(schema(element), image, (long) (i % 10)));
    }
    return rows;
  }

  private static Runnable bareCopy(List<UnsafeRow> rows) {
    byte[] target = new byte[BATCH * WIDTH * Float.BYTES];
    UnsafeArrayData array = new UnsafeArrayData();
    return () -> {
      int row = 0;
      for (UnsafeRow each : rows) {
        long word = each.getLong(0);
        array.pointTo(each.getBaseObject(), each.getBaseOffset() + (word >>> 32), (int) word);
        long to = Platform.BYTE_ARRAY_OFFSET + (long) row * WIDTH * Float.BYTES;
        Platform.copyMemory(
            array.getBaseObject(),
            Containers.elements(array),
            target,
            to,
            (long) WIDTH * Float.BYTES);
        row = (row + 1) % BATCH;
      }
    };
  }

  private static void append(String name, DataType element, DType dtype, boolean recycle) {
    List<UnsafeRow> rows = rows(element);
    ChunkMemory memory = recycle ? ChunkMemory.recycling(1 << 24) : ChunkMemory.heap();
    ChunkBuilder builder = ChunkBuilder.of(plan(element, dtype), BATCH, 1 << 24, memory);
    report("append " + name, ROWS, () -> appendAll(builder, rows));
  }

  private static void ragged() {
    List<UnsafeRow> rows = rows(DataTypes.FloatType);
    ColumnPlan plan =
        ColumnPlan.of(
            schema(DataTypes.FloatType),
            List.of(ColumnTarget.of("x", "image", DType.FLOAT32, -1).padded("0")));
    ChunkBuilder builder = ChunkBuilder.of(plan, BATCH, 1 << 24, ChunkMemory.recycling(1 << 24));
    report("append float[?] to float32, padded", ROWS, () -> appendAll(builder, rows));
  }

  private static void appendAll(ChunkBuilder builder, List<? extends InternalRow> rows) {
    for (InternalRow row : rows) {
      builder.append(row);
      if (builder.isFull()) {
        builder.build().release();
      }
    }
  }

  private static void copies() {
    ColumnPlan plan = plan(DataTypes.FloatType, DType.FLOAT32);
    List<Chunk> chunks = new ArrayList<>();
    ChunkBuilder builder = ChunkBuilder.of(plan, 512, 1 << 24, ChunkMemory.heap());
    for (UnsafeRow row : rows(DataTypes.FloatType)) {
      builder.append(row);
      if (builder.isFull()) {
        chunks.add(builder.build());
      }
    }
    Native sink = new Native();
    ChunkReader reader = new ChunkReader(plan.targets());
    RowPicks picks = new RowPicks();
    report(
        "batches of 128 from chunks of 512, in order",
        ROWS,
        () -> {
          for (Chunk chunk : chunks) {
            for (int row = 0; row < chunk.rows(); row += BATCH) {
              picks.clear();
              picks.add(chunk, row, BATCH);
              reader.fill(picks, sink);
            }
          }
        });
    Random random = new Random(2);
    report(
        "batches of 128 from chunks of 512, shuffled",
        ROWS,
        () -> {
          for (int batch = 0; batch < ROWS / BATCH; batch++) {
            picks.clear();
            for (int i = 0; i < BATCH; i++) {
              picks.add(chunks.get(random.nextInt(chunks.size())), random.nextInt(512), 1);
            }
            reader.fill(picks, sink);
          }
        });
  }

  private static final class Native implements RowSink {
    private final ByteBuffer[] memory = {
      ByteBuffer.allocateDirect(BATCH * WIDTH * Float.BYTES).order(ByteOrder.nativeOrder()),
      ByteBuffer.allocateDirect(BATCH * Long.BYTES).order(ByteOrder.nativeOrder())
    };

    @Override
    public ByteBuffer numbers(int column, long[] shape) {
      return memory[column];
    }

    @Override
    public void strings(int column, long[] shape) {}

    @Override
    public void string(int column, int element, byte[] bytes, int offset, int length) {}
  }

  /** The best of several rounds: on a shared machine the others measure the neighbours. */
  private static void report(String name, int rows, Runnable round) {
    long best = Long.MAX_VALUE;
    long end = System.nanoTime() + 1_500_000_000L;
    while (System.nanoTime() < end) {
      long start = System.nanoTime();
      round.run();
      best = Math.min(best, System.nanoTime() - start);
    }
    System.out.printf("%-44s %,12.0f%n", name, rows * 1e9 / best);
  }
}
