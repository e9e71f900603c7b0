/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.tensorflowonspark.sql.rows.Examples.bytes;
import static org.tensorflowonspark.sql.rows.Examples.example;
import static org.tensorflowonspark.sql.rows.Examples.features;
import static org.tensorflowonspark.sql.rows.Examples.floats;
import static org.tensorflowonspark.sql.rows.Examples.longs;
import static org.tensorflowonspark.sql.rows.Examples.none;
import static org.tensorflowonspark.sql.rows.Examples.texts;
import static org.tensorflowonspark.sql.rows.Rows.array;
import static org.tensorflowonspark.sql.rows.Rows.list;
import static org.tensorflowonspark.sql.rows.Rows.schema;
import static org.tensorflowonspark.sql.rows.Rows.text;
import static org.tensorflowonspark.sql.rows.Rows.unsafe;

import com.google.protobuf.MessageLite;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.ml.linalg.VectorUDT;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.Feature;

/** Rows of records that protobuf made. */
class RowDecoderTest {
  private static final VectorUDT VECTORS = new VectorUDT();

  private static UnsafeRow decode(StructType schema, MessageLite record) throws Exception {
    RecordType type =
        record instanceof org.tensorflow.proto.Example
            ? RecordType.EXAMPLE
            : RecordType.SEQUENCE_EXAMPLE;
    return Rows.decode(RowDecoder.of(schema, type), record.toByteArray());
  }

  private static Decimal decimal(String text, int precision, int scale) {
    return Decimal.apply(new BigDecimal(text), precision, scale);
  }

  static Stream<Arguments> values() {
    byte[] raw = {0, -1, (byte) 0xc3, 0x28};
    DataType narrow = DataTypes.createDecimalType(5, 2);
    DataType wide = DataTypes.createDecimalType(38, 18);
    return Stream.of(
        Arguments.of(DataTypes.LongType, longs(Long.MIN_VALUE), Long.MIN_VALUE),
        Arguments.of(DataTypes.ByteType, longs(-128), (byte) -128),
        Arguments.of(DataTypes.ShortType, longs(32767), Short.MAX_VALUE),
        Arguments.of(DataTypes.IntegerType, longs(Integer.MIN_VALUE), Integer.MIN_VALUE),
        Arguments.of(DataTypes.BooleanType, longs(1), true),
        Arguments.of(DataTypes.DateType, longs(19_000), 19_000),
        Arguments.of(DataTypes.TimestampType, longs(-1), -1L),
        Arguments.of(DataTypes.FloatType, floats(0.1f), 0.1f),
        Arguments.of(DataTypes.DoubleType, floats(0.1f), (double) 0.1f),
        Arguments.of(DataTypes.DoubleType, texts("0.1"), 0.1),
        Arguments.of(DataTypes.DoubleType, texts("-Infinity"), Double.NEGATIVE_INFINITY),
        Arguments.of(narrow, floats(12.346f), decimal("12.35", 5, 2)),
        Arguments.of(narrow, texts("-12.3"), decimal("-12.30", 5, 2)),
        Arguments.of(narrow, texts("1.23e2"), decimal("123.00", 5, 2)),
        Arguments.of(narrow, texts("0e999999999"), decimal("0.00", 5, 2)),
        Arguments.of(narrow, longs(-999), decimal("-999.00", 5, 2)),
        Arguments.of(wide, floats(0.1f), decimal("0.1", 38, 18)),
        Arguments.of(
            wide,
            texts("12345678901234567890.123456789012345678"),
            decimal("12345678901234567890.123456789012345678", 38, 18)),
        Arguments.of(DataTypes.StringType, texts("Größe"), text("Größe")),
        Arguments.of(DataTypes.BinaryType, bytes(raw), raw),
        Arguments.of(array(DataTypes.DoubleType), floats(1, 0.5f), list(1.0, 0.5)),
        Arguments.of(array(DataTypes.DoubleType), texts("0.1", "2"), list(0.1, 2.0)),
        Arguments.of(
            array(narrow), texts("1", "2.50"), list(decimal("1", 5, 2), decimal("2.5", 5, 2))),
        Arguments.of(array(wide), longs(3), list(decimal("3", 38, 18))),
        Arguments.of(array(DataTypes.BinaryType), bytes(raw, new byte[0]), list(raw, new byte[0])),
        Arguments.of(VECTORS, floats(1, 2.5f), VECTORS.serialize(Vectors.dense(1, 2.5))),
        Arguments.of(DataTypes.NullType, longs(1, 2), null));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aFeatureIsAColumn(DataType type, Feature feature, Object value) throws Exception {
    StructType schema = schema("größe", type);

    assertThat(decode(schema, example("a", longs(1), "größe", feature, "z", texts("z"))))
        .isEqualTo(unsafe(schema, value));
  }

  @Test
  void absentFeaturesAreNull() throws Exception {
    StructType schema =
        schema("x", DataTypes.FloatType, "y", array(DataTypes.StringType), "z", VECTORS);

    assertThat(decode(schema, example("other", longs(1))))
        .isEqualTo(unsafe(schema, null, null, null));
    assertThat(decode(schema, example())).isEqualTo(unsafe(schema, null, null, null));
  }

  @Test
  void featuresWithoutValuesAreNullOrEmptyArrays() throws Exception {
    StructType one = schema("x", DataTypes.FloatType);
    StructType many = Rows.strict(schema("x", array(DataTypes.FloatType)));
    StructType vector = Rows.strict(schema("x", VECTORS));

    for (Feature empty : List.of(floats(), none())) {
      assertThat(decode(one, example("x", empty))).isEqualTo(unsafe(one, (Object) null));
      assertThat(decode(many, example("x", empty))).isEqualTo(unsafe(many, list()));
      assertThat(decode(vector, example("x", empty)))
          .isEqualTo(unsafe(vector, VECTORS.serialize(Vectors.zeros(0))));
    }
  }

  @Test
  void listsOfNoneOneAndManyValuesAreArraysInEveryKind() throws Exception {
    StructType schema =
        schema(
            "l", array(DataTypes.LongType),
            "f", array(DataTypes.FloatType),
            "b", array(DataTypes.StringType));
    RowDecoder decoder = RowDecoder.of(schema, RecordType.EXAMPLE);

    assertThat(
            Rows.decode(
                decoder, example("l", longs(1, 2), "f", floats(), "b", texts("a")).toByteArray()))
        .isEqualTo(unsafe(schema, list(1L, 2L), list(), list(text("a"))));
    assertThat(
            Rows.decode(
                decoder, example("l", longs(3), "f", floats(1, 2), "b", texts()).toByteArray()))
        .isEqualTo(unsafe(schema, list(3L), list(1f, 2f), list()));
    assertThat(
            Rows.decode(
                decoder, example("l", longs(), "f", floats(4), "b", texts("c", "d")).toByteArray()))
        .isEqualTo(unsafe(schema, list(), list(4f), list(text("c"), text("d"))));
  }

  @Test
  void featureListsAreArraysOfArraysAndStepsWithoutKindEmpty() throws Exception {
    StructType schema =
        schema(
            "id", DataTypes.LongType,
            "steps", array(array(DataTypes.LongType)),
            "absent", array(array(DataTypes.StringType)),
            "none", array(array(DataTypes.StringType)));

    assertThat(
            decode(
                schema,
                Examples.sequence(
                    features("id", longs(4)),
                    "steps",
                    List.of(longs(1, 2), none(), longs(), longs(3)),
                    "none",
                    List.of())))
        .isEqualTo(unsafe(schema, 4L, list(list(1L, 2L), list(), list(), list(3L)), null, list()));
  }

  @Test
  void noColumnsMakeARowOfConstants() throws Exception {
    StructType constants = schema("day", DataTypes.StringType, "n", DataTypes.IntegerType);

    for (RecordType type : RecordType.values()) {
      RowDecoder decoder =
          RowDecoder.of(new StructType(), type)
              .withConstants(constants, Rows.generic(text("2024-02-29"), null));

      assertThat(Rows.decode(decoder, new byte[0]))
          .isEqualTo(unsafe(constants, text("2024-02-29"), null));
    }
  }

  @Test
  void laterConstantsTakeThePlaceOfFormerOnes() throws Exception {
    StructType constants = schema("n", DataTypes.LongType);
    RowDecoder decoder =
        RowDecoder.of(schema("x", DataTypes.LongType), RecordType.EXAMPLE)
            .withConstants(constants, Rows.generic(1L))
            .withConstants(constants, Rows.generic(2L));

    UnsafeRow row = Rows.decode(decoder, example("x", longs(9)).toByteArray());

    assertThat(row)
        .isEqualTo(unsafe(schema("x", DataTypes.LongType, "n", DataTypes.LongType), 9L, 2L));
  }
}
