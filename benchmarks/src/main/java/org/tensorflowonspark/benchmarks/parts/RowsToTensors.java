/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.parts;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.tensorflowonspark.cluster.columns.Chunk;
import org.tensorflowonspark.cluster.columns.ChunkBuilder;
import org.tensorflowonspark.cluster.columns.ChunkMemory;
import org.tensorflowonspark.cluster.columns.ChunkReader;
import org.tensorflowonspark.cluster.columns.ColumnPlan;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.cluster.columns.RowPicks;
import org.tensorflowonspark.cluster.columns.RowSink;
import org.tensorflowonspark.tensorflow.DType;

/** Rows of 784 floats and a label: into a chunk, and from there into a batch; on one core. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RowsToTensors {
  private static final int ROWS = 2048;
  private static final int BATCH = 128;
  private static final int WIDTH = 784;
  private static final int ROW_BYTES = WIDTH * Float.BYTES;

  private final List<UnsafeRow> rows = new ArrayList<>();
  private final Batch batch = new Batch();
  private final byte[] bare = new byte[BATCH * ROW_BYTES];
  private final RowPicks picks = new RowPicks();
  private final ChunkBuilder builder;
  private final ChunkReader reader;

  /** Made by JMH. */
  public RowsToTensors() {
    StructType schema =
        new StructType()
            .add("x", DataTypes.createArrayType(DataTypes.FloatType, false), false)
            .add("y", DataTypes.LongType, false);
    UnsafeProjection projection = UnsafeProjection.create(schema);
    for (int i = 0; i < ROWS; i++) {
      float[] image = new float[WIDTH];
      image[i % WIDTH] = i;
      Object[] values = {UnsafeArrayData.fromPrimitiveArray(image), (long) i};
      rows.add(projection.apply(new GenericInternalRow(values)).copy());
    }
    ColumnPlan plan =
        ColumnPlan.of(
            schema,
            List.of(
                ColumnTarget.of("x", "x", DType.FLOAT32, WIDTH),
                ColumnTarget.of("y", "y", DType.INT64)));
    builder = ChunkBuilder.of(plan, BATCH, 1 << 24, ChunkMemory.recycling(1 << 24));
    reader = new ChunkReader(plan.targets());
  }

  /** What the feed does with a row: two copies. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public int feed() {
    int used = 0;
    for (UnsafeRow row : rows) {
      builder.append(row);
      if (builder.rows() == BATCH) {
        Chunk chunk = builder.build();
        picks.clear();
        picks.add(chunk, 0, BATCH);
        reader.fill(picks, batch);
        chunk.release();
        used += BATCH;
      }
    }
    return used;
  }

  /** The least: one copy of the floats. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public byte[] copyRow() {
    int at = 0;
    for (UnsafeRow row : rows) {
      UnsafeArrayData image = row.getArray(0);
      long from = image.getBaseOffset() + image.getSizeInBytes() - ROW_BYTES;
      long to = Platform.BYTE_ARRAY_OFFSET + (long) at * ROW_BYTES;
      Platform.copyMemory(image.getBaseObject(), from, bare, to, ROW_BYTES);
      at = (at + 1) % BATCH;
    }
    return bare;
  }

  private static final class Batch implements RowSink {
    private final ByteBuffer[] columns = {
      ByteBuffer.allocateDirect(BATCH * ROW_BYTES).order(ByteOrder.nativeOrder()),
      ByteBuffer.allocateDirect(BATCH * Long.BYTES).order(ByteOrder.nativeOrder())
    };

    @Override
    public ByteBuffer numbers(int column, long[] shape) {
      return columns[column].clear();
    }

    @Override
    public void strings(int column, long[] shape) {}

    @Override
    public void string(int column, int element, byte[] bytes, int offset, int length) {}
  }
}
