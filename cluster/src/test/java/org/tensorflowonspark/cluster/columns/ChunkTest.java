/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.DType;

/** The flat form of chunks: round trips, damage, sizes, reuse of memory. */
class ChunkTest {
  private static final StructType SCHEMA =
      Rows.schema(
          "f", Rows.arrayOf(DataTypes.FloatType),
          "r", Rows.arrayOf(DataTypes.IntegerType),
          "s", DataTypes.StringType,
          "t", Rows.arrayOf(DataTypes.BinaryType));
  private static final ColumnPlan PLAN =
      ColumnPlan.of(
          SCHEMA,
          List.of(
              ColumnTarget.of("f", "f", DType.FLOAT32, 3),
              ColumnTarget.of("r", "r", DType.INT16, -1).padded("0"),
              ColumnTarget.of("s", "s", DType.STRING),
              ColumnTarget.of("t", "t", DType.STRING, -1).padded("")));

  private static InternalRow row(int i) {
    Object[] ragged = new Object[i % 4];
    Arrays.fill(ragged, i);
    Object[] bytes = new Object[i % 3];
    Arrays.fill(bytes, new byte[] {(byte) i, (byte) 0xFF});
    return Rows.unsafe(SCHEMA, new Object[] {(float) i, 1f, 2f}, ragged, "text " + i, bytes);
  }

  private static Chunk chunk(int rows) {
    ChunkBuilder builder = Rows.builder(PLAN, 64).source(7, 8, 0);
    builder.append(row(0));
    builder.build();
    for (int i = 0; i < rows; i++) {
      builder.append(row(i));
    }
    return builder.build();
  }

  private static void same(Chunk chunk, Chunk expected) {
    Rows.MemorySink one = Rows.batch(PLAN, chunk);
    Rows.MemorySink other = Rows.batch(PLAN, expected);
    assertThat(one.values(0)).isEqualTo(other.values(0));
    assertThat(one.values(1)).isEqualTo(other.values(1));
    assertThat(one.texts(2)).isEqualTo(other.texts(2));
    assertThat(one.texts(3)).isEqualTo(other.texts(3));
  }

  @Test
  void travelsThroughAnyBuffer() {
    Chunk chunk = chunk(11);
    ByteBuffer flat = chunk.toByteBuffer();
    ByteBuffer direct = ByteBuffer.allocateDirect(flat.remaining() + 10).position(5);
    direct.put(flat.duplicate()).flip().position(5);
    ByteBuffer heap = ByteBuffer.allocate(flat.remaining() + 3).position(3);
    heap.put(flat.duplicate()).flip().position(3);
    for (ByteBuffer buffer : List.of(flat, direct, heap)) {
      Chunk copy = Chunk.fromByteBuffer(buffer);
      assertThat(copy.rows()).isEqualTo(11);
      assertThat(copy.columns()).isEqualTo(4);
      assertThat(copy.partition()).isEqualTo(7);
      assertThat(copy.attempt()).isEqualTo(8);
      assertThat(copy.sequence()).isEqualTo(1);
      assertThat(copy.fingerprint()).isEqualTo(PLAN.fingerprint());
      assertThat(copy.bytes()).isEqualTo(flat.remaining());
      same(copy, chunk);
    }
  }

  @Test
  void emptyAndSingle() {
    for (int rows : new int[] {0, 1}) {
      Chunk chunk = Chunk.fromByteBuffer(chunk(rows).toByteBuffer());
      assertThat(chunk.rows()).isEqualTo(rows);
      Rows.MemorySink batch = Rows.batch(PLAN, chunk);
      assertThat(batch.values(0)).hasSize(3 * rows);
      assertThat(batch.texts(2)).hasSize(rows);
    }
  }

  @Test
  void hugeRows() {
    byte[] large = new byte[16 << 20];
    new Random(1).nextBytes(large);
    StructType schema = Rows.schema("b", DataTypes.BinaryType);
    ColumnPlan plan =
        ColumnPlan.of(
            schema,
            List.of(
                ColumnTarget.of("s", "b", DType.STRING),
                ColumnTarget.of("u", "b", DType.UINT8, large.length)));
    ChunkBuilder builder = ChunkBuilder.of(plan, 8, 1 << 20, ChunkMemory.heap());
    builder.append(Rows.unsafe(schema, large));
    assertThat(builder.isFull()).isTrue();
    Rows.MemorySink batch = Rows.batch(plan, Chunk.fromByteBuffer(builder.build().toByteBuffer()));
    assertThat(batch.strings.get(0).get(0)).isEqualTo(large);
    byte[] numbers = new byte[large.length];
    batch.numbers[1].get(0, numbers);
    assertThat(numbers).isEqualTo(large);
  }

  @Test
  void damageIsAlwaysAnErrorOrHarmless() {
    byte[] good = new byte[(int) chunk(9).bytes()];
    chunk(9).toByteBuffer().get(good);
    Random random = new Random(4);
    int refused = 0;
    for (int round = 0; round < 60_000; round++) {
      byte[] bad = good.clone();
      int changes = 1 + random.nextInt(3);
      for (int i = 0; i < changes; i++) {
        // Half of the damage in the head, where sizes are.
        int at = random.nextInt(random.nextBoolean() ? 260 : bad.length);
        switch (random.nextInt(4)) {
          case 0 -> bad[at] ^= (byte) (1 << random.nextInt(8));
          case 1 -> bad[at] = (byte) random.nextInt();
          case 2 -> bad[at] = (byte) 0xFF;
          default -> bad[at] = 0;
        }
      }
      int length = random.nextInt(10) == 0 ? random.nextInt(bad.length + 1) : bad.length;
      try {
        Chunk chunk = Chunk.fromByteBuffer(ByteBuffer.wrap(bad, 0, length));
        Rows.batch(PLAN, chunk);
      } catch (TfosException e) {
        refused++;
        assertThat(e.code()).isIn("TFOS-COLUMN-012", "TFOS-COLUMN-013");
      }
    }
    assertThat(refused).isBetween(20_000, 60_000);
    for (int length = 0; length < good.length; length++) {
      ByteBuffer cut = ByteBuffer.wrap(good, 0, length);
      assertThatThrownBy(() -> Chunk.fromByteBuffer(cut))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("TFOS-COLUMN-012");
    }
  }

  @Test
  void anotherPlanIsNotRead() {
    ColumnPlan other = ColumnPlan.of(SCHEMA, List.of(ColumnTarget.of("f", "f", DType.FLOAT64, 3)));
    Chunk chunk = chunk(2);
    assertThatThrownBy(() -> Rows.batch(other, chunk)).hasMessageContaining("TFOS-COLUMN-013");
  }

  @Test
  void aBatchThatPaddingMakesTooLargeIsAnError() {
    StructType schema = Rows.schema("m", Rows.arrayOf(Rows.arrayOf(DataTypes.ByteType)));
    ColumnPlan plan =
        ColumnPlan.of(schema, List.of(ColumnTarget.of("m", "m", DType.INT8, -1, -1).padded("0")));
    Object[] tall = new Object[60_000];
    Arrays.fill(tall, new Byte[] {1});
    Object[] wide = {new Byte[60_000]};
    Arrays.fill((Byte[]) wide[0], (byte) 1);
    Chunk chunk =
        Rows.chunk(
            plan, List.of(Rows.unsafe(schema, (Object) tall), Rows.unsafe(schema, (Object) wide)));
    assertThatThrownBy(() -> Rows.batch(plan, chunk))
        .hasMessageContaining("TFOS-COLUMN-011")
        .hasMessageContaining("[2, 60000, 60000]");
  }

  @Test
  void memoryIsReusedOnceReleasedAndNeverBefore() {
    ChunkMemory memory = ChunkMemory.recycling(1 << 20);
    ChunkBuilder builder = ChunkBuilder.of(PLAN, 16, 1 << 20, memory);
    Chunk kept = fill(builder, 0);
    byte[] before = new byte[(int) kept.bytes()];
    kept.toByteBuffer().get(before);
    Chunk released = fill(builder, 100);
    released.release();
    released.release();
    for (int i = 0; i < 20; i++) {
      Chunk chunk = fill(builder, i);
      same(chunk, fill(Rows.builder(PLAN, 16), i));
      if (i % 2 == 0) {
        chunk.release();
      }
    }
    byte[] after = new byte[before.length];
    kept.toByteBuffer().get(after);
    assertThat(after).isEqualTo(before);
    assertThatThrownBy(released::toByteBuffer).isInstanceOf(IllegalStateException.class);
  }

  private static Chunk fill(ChunkBuilder builder, int first) {
    for (int i = first; i < first + 16; i++) {
      builder.append(row(i));
    }
    assertThat(builder.isFull()).isTrue();
    return builder.build();
  }

  @Test
  void aShortLastChunkTakesNoMoreThanItNeeds() {
    StructType schema =
        Rows.schema("f", Rows.arrayOf(DataTypes.FloatType), "i", DataTypes.LongType);
    ColumnPlan plan =
        ColumnPlan.of(
            schema,
            List.of(
                ColumnTarget.of("f", "f", DType.FLOAT32, 2),
                ColumnTarget.of("i", "i", DType.INT32)));
    for (int rows : new int[] {1, 3, 60, 99, 100}) {
      ChunkBuilder builder = Rows.builder(plan, 100);
      for (long i = 0; i < rows; i++) {
        builder.append(Rows.unsafe(schema, new Object[] {(float) i, -1f}, i));
      }
      Chunk chunk = Chunk.fromByteBuffer(builder.build().toByteBuffer());
      assertThat(chunk.bytes()).isLessThan(150 + 12L * rows);
      Rows.MemorySink batch = Rows.batch(plan, chunk);
      for (int i = 0; i < rows; i++) {
        assertThat(batch.values(0).get(2 * i)).isEqualTo((float) i);
        assertThat(batch.values(1).get(i)).isEqualTo((long) i);
      }
    }
  }
}
