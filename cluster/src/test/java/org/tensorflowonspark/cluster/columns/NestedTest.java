/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.tensorflow.DType;

/**
 * Random nested arrays, fixed and ragged, numbers and strings, against a plain recursive oracle.
 */
class NestedTest {
  private static final long PAD = -7;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomArraysArriveWhereTheyShould(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      oneShape(random, seed + "/" + round);
    }
  }

  private static void oneShape(Random random, String name) {
    int rank = 1 + random.nextInt(3);
    long[] shape = new long[rank];
    for (int i = 0; i < rank; i++) {
      shape[i] = random.nextInt(3) == 0 ? -1 : 1 + random.nextInt(4);
    }
    boolean padded = random.nextBoolean() || Arrays.stream(shape).anyMatch(d -> d < 0);
    boolean text = random.nextInt(3) == 0;
    DataType leaf = text ? DataTypes.StringType : DataTypes.IntegerType;
    DType dtype = text ? DType.STRING : random.nextBoolean() ? DType.INT32 : DType.FLOAT32;
    DataType type = leaf;
    for (int i = 0; i < rank; i++) {
      type = Rows.arrayOf(type);
    }
    StructType schema = Rows.schema("id", DataTypes.LongType, "c", type);
    ColumnTarget target = ColumnTarget.of("x", "c", dtype, shape);
    ColumnPlan plan =
        ColumnPlan.of(
            schema,
            List.of(
                padded ? target.padded(Long.toString(PAD)) : target,
                ColumnTarget.of("i", "id", DType.INT32)));

    // Chunks of some rows each; then a batch of stretches and single rows in any order.
    List<Object> values = new ArrayList<>();
    List<Chunk> chunks = new ArrayList<>();
    ChunkBuilder builder = Rows.builder(plan, 1 + random.nextInt(9));
    for (int i = 0; i < 20; i++) {
      Object value = array(random, shape, 0, padded, text);
      values.add(value);
      InternalRow row =
          random.nextBoolean()
              ? Rows.unsafe(schema, (long) i, value)
              : Rows.generic(schema, (long) i, value);
      builder.append(row);
      if (builder.isFull() || random.nextInt(8) == 0) {
        chunks.add(Chunk.fromByteBuffer(builder.build().toByteBuffer()));
      }
    }
    chunks.add(builder.build());

    RowPicks picks = new RowPicks();
    List<Object> picked = new ArrayList<>();
    List<Object> ids = new ArrayList<>();
    int[] starts = new int[chunks.size()];
    for (int i = 1; i < starts.length; i++) {
      starts[i] = starts[i - 1] + chunks.get(i - 1).rows();
    }
    for (int i = 0; i < 6; i++) {
      int which = random.nextInt(chunks.size());
      Chunk chunk = chunks.get(which);
      int from = random.nextInt(chunk.rows() + 1);
      int count = random.nextInt(chunk.rows() - from + 1);
      picks.add(chunk, from, count);
      for (int row = from; row < from + count; row++) {
        picked.add(values.get(starts[which] + row));
        ids.add((long) starts[which] + row);
      }
    }
    Rows.MemorySink batch = new Rows.MemorySink(plan.targets());
    new ChunkReader(plan.targets()).fill(picks, batch);

    int[] dims = new int[rank];
    for (int i = 0; i < rank; i++) {
      dims[i] = shape[i] < 0 ? longest(picked, i, 0) : (int) shape[i];
    }
    List<Object> expected = new ArrayList<>();
    picked.forEach(value -> flatten(value, dims, 0, text, expected));
    assertThat(batch.shapes[0]).as(name).containsExactly(shape(picked.size(), dims));
    if (text) {
      assertThat(batch.texts(0)).as(name).isEqualTo(expected);
    } else if (dtype == DType.INT32) {
      assertThat(batch.values(0)).as(name).isEqualTo(expected);
    } else {
      List<Object> floats = expected.stream().map(v -> (Object) ((Long) v).floatValue()).toList();
      assertThat(batch.values(0)).as(name).isEqualTo(floats);
    }
    assertThat(batch.values(1)).as(name).isEqualTo(ids);
  }

  private static Object array(
      Random random, long[] shape, int level, boolean padded, boolean text) {
    if (level == shape.length) {
      int value = random.nextInt(1000);
      return text ? "é" + "x".repeat(value % 40) + value : (Object) value;
    }
    int n =
        shape[level] < 0
            ? random.nextInt(5)
            : (int) (padded ? random.nextInt((int) shape[level] + 1) : shape[level]);
    Object[] array = new Object[n];
    for (int i = 0; i < n; i++) {
      array[i] = array(random, shape, level + 1, padded, text);
    }
    return array;
  }

  private static int longest(List<Object> values, int level, int at) {
    int longest = 0;
    for (Object value : values) {
      Object[] array = (Object[]) value;
      longest =
          Math.max(
              longest, at == level ? array.length : longest(Arrays.asList(array), level, at + 1));
    }
    return longest;
  }

  private static long[] shape(int rows, int[] dims) {
    long[] shape = new long[dims.length + 1];
    shape[0] = rows;
    for (int i = 0; i < dims.length; i++) {
      shape[i + 1] = dims[i];
    }
    return shape;
  }

  private static void flatten(Object value, int[] dims, int level, boolean text, List<Object> out) {
    if (level == dims.length) {
      out.add(value instanceof Integer i ? (Object) (long) i : value);
      return;
    }
    Object[] array = (Object[]) value;
    for (int i = 0; i < dims[level]; i++) {
      if (i < array.length) {
        flatten(array[i], dims, level + 1, text, out);
      } else {
        int missing = 1;
        for (int j = level + 1; j < dims.length; j++) {
          missing *= dims[j];
        }
        for (int j = 0; j < missing; j++) {
          out.add(text ? (Object) Long.toString(PAD) : PAD);
        }
      }
    }
  }
}
