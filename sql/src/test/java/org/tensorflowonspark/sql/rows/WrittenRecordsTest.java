/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.tensorflowonspark.sql.rows.Examples.bytes;
import static org.tensorflowonspark.sql.rows.Examples.example;
import static org.tensorflowonspark.sql.rows.Examples.floats;
import static org.tensorflowonspark.sql.rows.Examples.longs;
import static org.tensorflowonspark.sql.rows.Examples.texts;
import static org.tensorflowonspark.sql.rows.Rows.array;
import static org.tensorflowonspark.sql.rows.Rows.list;
import static org.tensorflowonspark.sql.rows.Rows.schema;
import static org.tensorflowonspark.sql.rows.Rows.text;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.ml.linalg.VectorUDT;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.SequenceExample;

/** What protobuf finds in records of ours. */
class WrittenRecordsTest {
  private static final VectorUDT VECTORS = new VectorUDT();
  private static final DataType DECIMAL = DataTypes.createDecimalType(20, 2);

  private static Decimal decimal(String text) {
    return Decimal.apply(new BigDecimal(text), 20, 2);
  }

  static Stream<Arguments> values() {
    byte[] raw = {0, -1, 127, (byte) 0xc3, 0x28};
    return Stream.of(
        Arguments.of(DataTypes.BooleanType, true, longs(1)),
        Arguments.of(DataTypes.BooleanType, false, longs(0)),
        Arguments.of(DataTypes.ByteType, (byte) -3, longs(-3)),
        Arguments.of(DataTypes.ShortType, Short.MIN_VALUE, longs(-32768)),
        Arguments.of(DataTypes.IntegerType, 70_000, longs(70_000)),
        Arguments.of(DataTypes.LongType, Long.MIN_VALUE, longs(Long.MIN_VALUE)),
        Arguments.of(DataTypes.DateType, -1, longs(-1)),
        Arguments.of(DataTypes.TimestampType, 1_500_000L, longs(1_500_000)),
        Arguments.of(DataTypes.TimestampNTZType, -5L, longs(-5)),
        Arguments.of(DataTypes.FloatType, 0.1f, floats(0.1f)),
        Arguments.of(DataTypes.DoubleType, 0.1, floats(0.1f)),
        Arguments.of(
            DataTypes.DoubleType, Double.POSITIVE_INFINITY, floats(Float.POSITIVE_INFINITY)),
        Arguments.of(DECIMAL, decimal("-12.34"), floats(-12.34f)),
        Arguments.of(DataTypes.StringType, text("Größe"), texts("Größe")),
        Arguments.of(DataTypes.StringType, text(""), texts("")),
        Arguments.of(DataTypes.BinaryType, raw, bytes(raw)),
        Arguments.of(array(DataTypes.BooleanType), list(true, false), longs(1, 0)),
        Arguments.of(array(DataTypes.ByteType), list((byte) 1, (byte) -1), longs(1, -1)),
        Arguments.of(array(DataTypes.ShortType), list((short) 300), longs(300)),
        Arguments.of(array(DataTypes.IntegerType), list(1, -2, 3), longs(1, -2, 3)),
        Arguments.of(array(DataTypes.LongType), list(1L << 40, 0L), longs(1L << 40, 0)),
        Arguments.of(array(DataTypes.LongType), list(), longs()),
        Arguments.of(array(DataTypes.DateType), list(1, 2), longs(1, 2)),
        Arguments.of(array(DataTypes.FloatType), list(1f, -0f), floats(1f, -0f)),
        Arguments.of(array(DataTypes.FloatType), list(), floats()),
        Arguments.of(array(DataTypes.DoubleType), list(0.1, 2.0), floats(0.1f, 2f)),
        Arguments.of(array(DECIMAL), list(decimal("1.50")), floats(1.5f)),
        Arguments.of(array(DataTypes.StringType), list(text("a"), text("")), texts("a", "")),
        Arguments.of(array(DataTypes.BinaryType), list(raw, new byte[0]), bytes(raw, new byte[0])),
        Arguments.of(array(DataTypes.BinaryType), list(), bytes()),
        Arguments.of(VECTORS, VECTORS.serialize(Vectors.dense(0.1, 2)), floats(0.1f, 2f)),
        Arguments.of(
            VECTORS,
            VECTORS.serialize(Vectors.sparse(4, new int[] {2}, new double[] {5})),
            floats(0, 0, 5, 0)));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aColumnIsAFeature(DataType type, Object value, Feature feature) throws Exception {
    StructType schema = schema("größe", type, "other", DataTypes.LongType);
    Example expected = example("größe", feature, "other", longs(7));
    RowEncoder encoder = RowEncoder.of(schema, RecordType.EXAMPLE);

    assertThat(Example.parseFrom(Rows.encode(encoder, Rows.unsafe(schema, value, 7L))))
        .isEqualTo(expected);
    assertThat(Example.parseFrom(Rows.encode(encoder, Rows.generic(value, 7L))))
        .isEqualTo(expected);
  }

  @Test
  void exactNumbersAreTextThatTensorFlowReads() throws Exception {
    StructType schema =
        schema("d", DataTypes.DoubleType, "ds", array(DataTypes.DoubleType), "x", DECIMAL);
    RowEncoder encoder = RowEncoder.withExactNumbers(schema, RecordType.EXAMPLE);

    byte[] record =
        Rows.encode(encoder, Rows.unsafe(schema, 0.1, list(-1e300, 2.0), decimal("100.00")));

    assertThat(Example.parseFrom(record))
        .isEqualTo(
            example("d", texts("0.1"), "ds", texts("-1.0E300", "2.0"), "x", texts("100.00")));
  }

  @Test
  void nullsAndColumnsOfNoTypeAreAbsent() throws Exception {
    StructType schema =
        schema(
            "a", DataTypes.LongType,
            "b", array(DataTypes.StringType),
            "c", DataTypes.NullType,
            "d", VECTORS,
            "e", DataTypes.FloatType);
    RowEncoder encoder = RowEncoder.of(schema, RecordType.EXAMPLE);

    byte[] some = Rows.encode(encoder, Rows.unsafe(schema, 1L, null, null, null, 2f));
    byte[] none = Rows.encode(encoder, Rows.unsafe(schema, null, null, null, null, null));

    assertThat(Example.parseFrom(some)).isEqualTo(example("a", longs(1), "e", floats(2)));
    assertThat(Example.parseFrom(none)).isEqualTo(example());
  }

  @Test
  void arraysOfArraysAreFeatureListsAndTheRestIsContext() throws Exception {
    StructType schema =
        schema(
            "id", DataTypes.LongType,
            "tags", array(DataTypes.StringType),
            "steps", array(array(DataTypes.IntegerType)),
            "texts", array(array(DataTypes.StringType)),
            "doubles", array(array(DataTypes.DoubleType)),
            "none", array(array(DataTypes.FloatType)),
            "absent", array(array(DataTypes.FloatType)));
    RowEncoder encoder = RowEncoder.of(schema, RecordType.SEQUENCE_EXAMPLE);

    byte[] record =
        Rows.encode(
            encoder,
            Rows.unsafe(
                schema,
                5L,
                list(text("t")),
                list(list(1, 2), list(), list(-3)),
                list(list(text("a"), text("b")), list(text(""))),
                list(list(0.1)),
                list(),
                null));

    assertThat(SequenceExample.parseFrom(record))
        .isEqualTo(
            Examples.sequence(
                Examples.features("id", longs(5), "tags", texts("t")),
                "steps",
                List.of(longs(1, 2), longs(), longs(-3)),
                "texts",
                List.of(texts("a", "b"), texts("")),
                "doubles",
                List.of(floats(0.1f)),
                "none",
                List.of()));
  }
}
