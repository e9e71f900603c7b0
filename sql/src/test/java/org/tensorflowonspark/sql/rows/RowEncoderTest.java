/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.tensorflowonspark.sql.rows.Rows.array;
import static org.tensorflowonspark.sql.rows.Rows.list;
import static org.tensorflowonspark.sql.rows.Rows.schema;
import static org.tensorflowonspark.sql.rows.Rows.strict;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.linalg.VectorUDT;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.Example;
import org.tensorflowonspark.base.TfosException;

/** Values that no record can hold, and the rows after them. */
class RowEncoderTest {
  private static void assertRefused(
      RowEncoder encoder, InternalRow row, RowError error, String... parts) {
    assertThatThrownBy(() -> encoder.encode(row))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[" + error.code() + "] Column 'größe'")
        .hasMessageContainingAll(parts);
  }

  @Test
  void nullsNeedANullableColumn() {
    for (DataType type : List.of(DataTypes.LongType, array(DataTypes.LongType), new VectorUDT())) {
      StructType nullable = schema("größe", type);
      RowEncoder encoder = RowEncoder.of(strict(nullable), RecordType.EXAMPLE);

      assertRefused(
          encoder, Rows.unsafe(nullable, (Object) null), RowError.NULL_VALUE, "not nullable");
    }
  }

  @Test
  void arraysMayNotHoldNulls() {
    for (DataType type : Rows.VALUE_TYPES) {
      Object value = new RandomValues(1, false).value(type);
      StructType schema = schema("größe", array(type));
      RowEncoder encoder = RowEncoder.of(schema, RecordType.EXAMPLE);

      for (InternalRow row :
          List.of(Rows.generic(list(value, null)), Rows.unsafe(schema, list(value, null, value)))) {
        assertRefused(encoder, row, RowError.NULL_VALUE, "element 1 is null", "is not null");
      }
    }
  }

  @Test
  void aNullFarIntoAnArrayIsFound() {
    StructType schema = schema("größe", array(DataTypes.LongType));
    Object[] values = new Object[200];
    Arrays.fill(values, 1L);
    values[170] = null;

    assertRefused(
        RowEncoder.of(schema, RecordType.EXAMPLE),
        Rows.unsafe(schema, list(values)),
        RowError.NULL_VALUE,
        "element 170");
  }

  @Test
  void arraysOfArraysMayNotHoldNulls() {
    StructType schema = schema("größe", array(array(DataTypes.LongType)));
    RowEncoder encoder = RowEncoder.of(schema, RecordType.SEQUENCE_EXAMPLE);

    assertRefused(
        encoder, Rows.unsafe(schema, list(list(1L), null)), RowError.NULL_VALUE, "element 1");
    assertRefused(
        encoder, Rows.unsafe(schema, list(list(1L, 2L, null))), RowError.NULL_VALUE, "element 2");
  }

  @Test
  void doublesBeyondFloatsAreNotMadeInfinite() {
    VectorUDT vectors = new VectorUDT();
    Object[][] columns = {
      {DataTypes.DoubleType, 1e39},
      {array(DataTypes.DoubleType), list(1.0, 1e39)},
      {vectors, vectors.serialize(Vectors.dense(1e39))}
    };
    for (Object[] column : columns) {
      StructType schema = schema("größe", column[0]);
      assertRefused(
          RowEncoder.of(schema, RecordType.EXAMPLE),
          Rows.unsafe(schema, column[1]),
          RowError.OUT_OF_RANGE,
          "1.0E39",
          "doubles=exact");
    }
  }

  @Test
  void sparseVectorsThatNoRecordHoldsAreRefused() {
    VectorUDT vectors = new VectorUDT();
    StructType schema = schema("größe", vectors);

    assertRefused(
        RowEncoder.of(schema, RecordType.EXAMPLE),
        Rows.unsafe(
            schema,
            vectors.serialize(Vectors.sparse(2_000_000_000, new int[] {7}, new double[] {1}))),
        RowError.OUT_OF_RANGE,
        "2000000000");
  }

  @Test
  void recordsAsTheyAreMayNotBeNull() {
    StructType schema = schema("byteArray", DataTypes.BinaryType);
    RowEncoder encoder = RowEncoder.of(schema, RecordType.BYTE_ARRAY);

    assertThatThrownBy(() -> encoder.encode(Rows.unsafe(schema, (Object) null)))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-ROW-006]");
  }

  @Test
  void anEncoderGoesOnAfterARowThatIsRefused() throws Exception {
    StructType schema =
        schema("a", array(DataTypes.StringType), "größe", array(DataTypes.StringType));
    RowEncoder encoder = RowEncoder.of(schema, RecordType.EXAMPLE);
    Object text = Rows.text("x");

    assertRefused(
        encoder, Rows.unsafe(schema, list(text), list(text, null)), RowError.NULL_VALUE, "1");

    assertThat(Example.parseFrom(Rows.encode(encoder, Rows.unsafe(schema, null, list(text)))))
        .isEqualTo(Examples.example("größe", Examples.texts("x")));
  }
}
