/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.tensorflow.DType;

/** Rows as Spark makes them, and the short ways of these tests from rows to batches. */
final class Rows {
  private Rows() {}

  static StructType schema(Object... namesAndTypes) {
    StructType schema = new StructType();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      schema = schema.add((String) namesAndTypes[i], (DataType) namesAndTypes[i + 1]);
    }
    return schema;
  }

  static DataType arrayOf(DataType type) {
    return DataTypes.createArrayType(type);
  }

  /** The row with Spark's generic containers, as some operators hand on. */
  static InternalRow generic(StructType schema, Object... values) {
    Row row = RowFactory.create(values);
    return (InternalRow) CatalystTypeConverters.createToCatalystConverter(schema).apply(row);
  }

  /** The row in Spark's unsafe format. */
  static InternalRow unsafe(StructType schema, Object... values) {
    return UnsafeProjection.create(schema).apply(generic(schema, values)).copy();
  }

  static ChunkBuilder builder(ColumnPlan plan, int rows) {
    return ChunkBuilder.of(plan, rows, Long.MAX_VALUE, ChunkMemory.heap());
  }

  static Chunk chunk(ColumnPlan plan, List<InternalRow> rows) {
    ChunkBuilder builder = builder(plan, Math.max(1, rows.size()));
    rows.forEach(builder::append);
    return builder.build();
  }

  /** All rows of a chunk as one batch. */
  static MemorySink batch(ColumnPlan plan, Chunk chunk) {
    RowPicks picks = new RowPicks();
    picks.add(chunk, 0, chunk.rows());
    MemorySink sink = new MemorySink(plan.targets());
    new ChunkReader(plan.targets()).fill(picks, sink);
    return sink;
  }

  static MemorySink batch(ColumnPlan plan, InternalRow... rows) {
    return batch(plan, chunk(plan, List.of(rows)));
  }

  /** A batch in plain memory. */
  static final class MemorySink implements RowSink {
    final List<ColumnTarget> targets;
    final ByteBuffer[] numbers;
    final List<List<byte[]>> strings = new ArrayList<>();
    final long[][] shapes;

    MemorySink(List<ColumnTarget> targets) {
      this.targets = targets;
      this.numbers = new ByteBuffer[targets.size()];
      this.shapes = new long[targets.size()][];
      targets.forEach(t -> strings.add(new ArrayList<>()));
    }

    @Override
    public ByteBuffer numbers(int column, long[] shape) {
      long bytes = targets.get(column).dtype().bytes();
      for (long dim : shape) {
        bytes *= dim;
      }
      shapes[column] = shape;
      numbers[column] = ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.nativeOrder());
      byte[] dirt = new byte[(int) bytes];
      Arrays.fill(dirt, (byte) 0x5A);
      numbers[column].put(0, dirt);
      return numbers[column];
    }

    @Override
    public void strings(int column, long[] shape) {
      shapes[column] = shape;
    }

    @Override
    public void string(int column, int element, byte[] bytes, int offset, int length) {
      List<byte[]> all = strings.get(column);
      if (all.size() != element) {
        throw new AssertionError(element + " comes after " + all.size());
      }
      all.add(Arrays.copyOfRange(bytes, offset, offset + length));
    }

    /** Elements of a column of numbers, each as its Java type; unsigned ones as longs. */
    List<Object> values(int column) {
      DType dtype = targets.get(column).dtype();
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < numbers[column].capacity() / dtype.bytes(); i++) {
        values.add(value(numbers[column], dtype, i));
      }
      return values;
    }

    List<String> texts(int column) {
      return strings.get(column).stream()
          .map(b -> new String(b, java.nio.charset.StandardCharsets.UTF_8))
          .toList();
    }
  }

  static Object value(ByteBuffer memory, DType dtype, int i) {
    return switch (dtype) {
      case FLOAT32 -> memory.getFloat(i * 4);
      case FLOAT64 -> memory.getDouble(i * 8);
      case INT8 -> (long) memory.get(i);
      case UINT8 -> memory.get(i) & 0xFFL;
      case INT16 -> (long) memory.getShort(i * 2);
      case UINT16 -> memory.getShort(i * 2) & 0xFFFFL;
      case INT32 -> (long) memory.getInt(i * 4);
      case UINT32 -> memory.getInt(i * 4) & 0xFFFFFFFFL;
      case INT64, UINT64 -> memory.getLong(i * 8);
      case BOOL -> (long) memory.get(i);
      default -> throw new AssertionError(dtype);
    };
  }
}
