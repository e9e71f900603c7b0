/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.DType;

/** Rows that do not fit: what is said, what replaces nulls, and that the builder survives. */
class RowErrorTest {
  private static final DataType FLOATS = Rows.arrayOf(DataTypes.FloatType);
  private static final DataType MATRIX = Rows.arrayOf(FLOATS);

  private static void fails(
      ColumnTarget target,
      DataType type,
      @Nullable Object value,
      ColumnError code,
      String... parts) {
    StructType schema = Rows.schema("c", type);
    ColumnPlan plan = ColumnPlan.of(schema, List.of(target));
    for (boolean unsafe : new boolean[] {true, false}) {
      Object[] values = {value};
      InternalRow row = unsafe ? Rows.unsafe(schema, values) : Rows.generic(schema, values);
      ChunkBuilder builder = Rows.builder(plan, 4).source(3, 9, 41);
      var failure =
          assertThatThrownBy(() -> builder.append(row))
              .isInstanceOf(TfosException.class)
              .hasMessageStartingWith("[" + code.code() + "] Column 'c' (" + type.catalogString())
              .hasMessageContaining("for tensor 'x'")
              .hasMessageContaining("row 41 of partition 3");
      for (String part : parts) {
        failure.hasMessageContaining(part);
      }
      assertThat(builder.rows()).isZero();
    }
  }

  private static Rows.MemorySink taken(ColumnTarget target, DataType type, @Nullable Object value) {
    StructType schema = Rows.schema("c", type);
    ColumnPlan plan = ColumnPlan.of(schema, List.of(target));
    Object[] values = {value};
    return Rows.batch(plan, Rows.unsafe(schema, values), Rows.generic(schema, values));
  }

  @Test
  void wrongLength() {
    ColumnTarget three = ColumnTarget.of("x", "c", DType.FLOAT32, 3);
    fails(
        three,
        FLOATS,
        new Object[] {1f, 2f},
        ColumnError.WRONG_LENGTH,
        "2 values where the tensor takes 3",
        "padding");
    fails(
        three.padded("0"),
        FLOATS,
        new Object[] {1f, 2f, 3f, 4f},
        ColumnError.WRONG_LENGTH,
        "4 values where the tensor takes 3",
        "shorten");
    fails(
        ColumnTarget.of("x", "c", DType.FLOAT32, 2, 2),
        MATRIX,
        new Object[] {new Object[] {1f, 2f}, new Object[] {1f}},
        ColumnError.WRONG_LENGTH,
        "1 values in dimension 1 where the tensor takes 2");
    fails(
        ColumnTarget.of("x", "c", DType.UINT8, 2, 2),
        DataTypes.BinaryType,
        new byte[] {1, 2, 3},
        ColumnError.WRONG_LENGTH,
        "3 values where the tensor takes 4");
    fails(
        ColumnTarget.of("x", "c", DType.STRING, 2),
        Rows.arrayOf(DataTypes.StringType),
        new Object[] {"a"},
        ColumnError.WRONG_LENGTH);
  }

  @Test
  void nulls() {
    fails(
        ColumnTarget.of("x", "c", DType.INT64),
        DataTypes.LongType,
        null,
        ColumnError.NULL_VALUE,
        "the value is null",
        "fill nulls");
    fails(
        ColumnTarget.of("x", "c", DType.FLOAT32, 3),
        FLOATS,
        new Object[] {1f, 2f, null},
        ColumnError.NULL_VALUE,
        "element 2 of the array is null");
    fails(
        ColumnTarget.of("x", "c", DType.FLOAT32, 2, 1),
        MATRIX,
        new Object[] {new Object[] {1f}, null},
        ColumnError.NULL_VALUE,
        "the inner array 1 is null");
    fails(
        ColumnTarget.of("x", "c", DType.STRING),
        DataTypes.StringType,
        null,
        ColumnError.NULL_VALUE);
    fails(
        ColumnTarget.of("x", "c", DType.STRING, 2),
        Rows.arrayOf(DataTypes.StringType),
        new Object[] {"a", null},
        ColumnError.NULL_VALUE,
        "element 1 is null");
  }

  @Test
  void nullsThatAreReplaced() {
    assertThat(
            taken(ColumnTarget.of("x", "c", DType.INT64).nullsAs("-5"), DataTypes.LongType, null)
                .values(0))
        .containsExactly(-5L, -5L);
    assertThat(
            taken(
                    ColumnTarget.of("x", "c", DType.FLOAT32, 2).nullsAs("0.5"),
                    FLOATS,
                    new Object[] {null, 2f})
                .values(0))
        .containsExactly(0.5f, 2f, 0.5f, 2f);
    assertThat(
            taken(ColumnTarget.of("x", "c", DType.FLOAT32, 2).nullsAs("0.5"), FLOATS, null)
                .values(0))
        .containsExactly(0.5f, 0.5f, 0.5f, 0.5f);
    ColumnTarget ragged = ColumnTarget.of("x", "c", DType.FLOAT32, -1, -1).padded("9").nullsAs("4");
    assertThat(
            taken(ragged, MATRIX, new Object[] {null, new Object[] {1f, null}})
                .values(0)
                .subList(0, 4))
        .containsExactly(9f, 9f, 1f, 4f);
    assertThat(taken(ragged, MATRIX, null).shapes[0]).containsExactly(2, 0, 0);
    assertThat(
            taken(
                    ColumnTarget.of("x", "c", DType.STRING, 2).nullsAs("none"),
                    Rows.arrayOf(DataTypes.StringType),
                    new Object[] {"a", null})
                .texts(0))
        .containsExactly("a", "none", "a", "none");
  }

  @Test
  void structsOnThePathMayBeNull() {
    StructType schema =
        Rows.schema("a", Rows.schema("skip", DataTypes.StringType, "b", Rows.schema("c", FLOATS)));
    ColumnTarget target = ColumnTarget.of("x", "a.b.c", DType.FLOAT32, 2);
    ColumnPlan plan = ColumnPlan.of(schema, List.of(target.nullsAs("8")));
    Object full = RowFactory.create("s", RowFactory.create((Object) new Object[] {1f, 2f}));
    Object hollow = RowFactory.create("s", null);
    Object[] nothing = {null};
    assertThat(
            Rows.batch(
                    plan,
                    Rows.unsafe(schema, full),
                    Rows.generic(schema, full),
                    Rows.unsafe(schema, hollow),
                    Rows.generic(schema, nothing))
                .values(0))
        .containsExactly(1f, 2f, 1f, 2f, 8f, 8f, 8f, 8f);
  }

  @Test
  void aFailedRowLeavesNothingBehind() {
    StructType schema =
        Rows.schema("s", DataTypes.StringType, "r", FLOATS, "f", DataTypes.IntegerType);
    ColumnPlan plan =
        ColumnPlan.of(
            schema,
            List.of(
                ColumnTarget.of("s", "s", DType.STRING),
                ColumnTarget.of("r", "r", DType.FLOAT32, -1).padded("0"),
                ColumnTarget.of("f", "f", DType.INT8)));
    ChunkBuilder builder = Rows.builder(plan, 10);
    for (int i = 0; i < 6; i++) {
      Object[] array = new Object[i];
      java.util.Arrays.fill(array, (float) i);
      InternalRow row = Rows.unsafe(schema, "s" + i, array, i % 2 == 0 ? i : 1000);
      if (i % 2 == 0) {
        builder.append(row);
      } else {
        String position = "row " + i + " of";
        assertThatThrownBy(() -> builder.append(row)).hasMessageContaining(position);
      }
    }
    Rows.MemorySink batch = Rows.batch(plan, Chunk.fromByteBuffer(builder.build().toByteBuffer()));
    assertThat(batch.texts(0)).containsExactly("s0", "s2", "s4");
    assertThat(batch.values(1)).containsExactly(0f, 0f, 0f, 0f, 2f, 2f, 0f, 0f, 4f, 4f, 4f, 4f);
    assertThat(batch.values(2)).containsExactly(0L, 2L, 4L);
  }
}
