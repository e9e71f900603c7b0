/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.tensorflowonspark.sql.rows.Examples.example;
import static org.tensorflowonspark.sql.rows.Examples.features;
import static org.tensorflowonspark.sql.rows.Examples.floats;
import static org.tensorflowonspark.sql.rows.Examples.longs;
import static org.tensorflowonspark.sql.rows.Examples.none;
import static org.tensorflowonspark.sql.rows.Examples.texts;
import static org.tensorflowonspark.sql.rows.Rows.array;
import static org.tensorflowonspark.sql.rows.Rows.schema;
import static org.tensorflowonspark.sql.rows.Rows.strict;

import com.google.protobuf.MessageLite;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.ml.linalg.MatrixUDT;
import org.apache.spark.ml.linalg.VectorUDT;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflowonspark.base.TfosException;

/** Records that are no rows of a schema: what is said of them. */
class BadRecordsTest {
  private static final DataType DECIMAL = DataTypes.createDecimalType(5, 2);

  private static BadRecordException problem(StructType schema, MessageLite record) {
    RecordType type = record instanceof Example ? RecordType.EXAMPLE : RecordType.SEQUENCE_EXAMPLE;
    RowDecoder decoder = RowDecoder.of(schema, type);
    return catchThrowableOfType(
        BadRecordException.class, () -> Rows.decode(decoder, record.toByteArray()));
  }

  static Stream<Arguments> misfits() {
    return Stream.of(
        Arguments.of(DataTypes.LongType, floats(1), RowError.WRONG_KIND, "FLOAT", "float"),
        Arguments.of(DataTypes.LongType, texts("1"), RowError.WRONG_KIND, "BYTES", "string"),
        Arguments.of(DataTypes.FloatType, longs(1), RowError.WRONG_KIND, "INT64", "bigint"),
        Arguments.of(DataTypes.DoubleType, longs(1), RowError.WRONG_KIND, "INT64", "bigint"),
        Arguments.of(DataTypes.StringType, floats(), RowError.WRONG_KIND, "FLOAT", "float"),
        Arguments.of(array(DataTypes.LongType), floats(), RowError.WRONG_KIND, "FLOAT", "float"),
        Arguments.of(new VectorUDT(), longs(1), RowError.WRONG_KIND, "INT64", "bigint"),
        Arguments.of(DataTypes.LongType, longs(1, 2), RowError.WRONG_COUNT, "2 values", "array"),
        Arguments.of(DataTypes.FloatType, floats(1, 2), RowError.WRONG_COUNT, "2 values", "array"),
        Arguments.of(DataTypes.StringType, texts("", ""), RowError.WRONG_COUNT, "2", "array"),
        Arguments.of(DataTypes.BooleanType, longs(2), RowError.OUT_OF_RANGE, "holds 2,", "wider"),
        Arguments.of(DataTypes.BooleanType, longs(-1), RowError.OUT_OF_RANGE, "-1", "wider"),
        Arguments.of(DataTypes.ByteType, longs(128), RowError.OUT_OF_RANGE, "128", "wider"),
        Arguments.of(DataTypes.ShortType, longs(-32769), RowError.OUT_OF_RANGE, "-32769", "wider"),
        Arguments.of(
            DataTypes.IntegerType, longs(1L << 31), RowError.OUT_OF_RANGE, "2147483648", "wider"),
        Arguments.of(
            array(DataTypes.DateType), longs(0, 1L << 40), RowError.OUT_OF_RANGE, "1099", "wider"),
        Arguments.of(DECIMAL, floats(1000), RowError.OUT_OF_RANGE, "1000.0", "wider"),
        Arguments.of(DECIMAL, floats(Float.NaN), RowError.OUT_OF_RANGE, "NaN", "wider"),
        Arguments.of(DECIMAL, longs(1000), RowError.OUT_OF_RANGE, "1000", "wider"),
        Arguments.of(DECIMAL, texts("1.005"), RowError.OUT_OF_RANGE, "1.005", "wider"),
        Arguments.of(DECIMAL, texts("1e999999999"), RowError.OUT_OF_RANGE, "1e999999999", "wider"),
        Arguments.of(
            DECIMAL, texts("1e-999999999"), RowError.OUT_OF_RANGE, "1e-999999999", "wider"),
        Arguments.of(DECIMAL, texts("12x"), RowError.WRONG_KIND, "'12x'", "string"),
        Arguments.of(DECIMAL, texts("1".repeat(2000)), RowError.WRONG_KIND, "2000", "string"),
        Arguments.of(DataTypes.DoubleType, texts("abc"), RowError.WRONG_KIND, "'abc'", "string"),
        Arguments.of(
            array(DataTypes.DoubleType), texts("1", ""), RowError.WRONG_KIND, "''", "string"));
  }

  @ParameterizedTest
  @MethodSource("misfits")
  void aFeatureThatDoesNotFitIsNamed(
      DataType type, Feature feature, RowError code, String what, String remedy) {
    BadRecordException problem =
        problem(schema("id", DataTypes.LongType, "größe", type), example("größe", feature));

    assertThat(problem).hasMessageContainingAll("feature 'größe'", what, type.simpleString());
    assertThat(problem.error()).isEqualTo(code);
    assertThat(problem.remedy()).contains(remedy);
  }

  @Test
  void whatIsNotNullableMustBeThere() {
    for (DataType type : List.of(DataTypes.LongType, array(DataTypes.LongType), new VectorUDT())) {
      BadRecordException missing = problem(strict(schema("x", type)), example("y", longs(1)));
      assertThat(missing).hasMessageContaining("'x' is missing");
      assertThat(missing.error()).isEqualTo(RowError.MISSING_FEATURE);
    }
    for (Feature empty : List.of(longs(), none())) {
      BadRecordException problem =
          problem(strict(schema("x", DataTypes.LongType)), example("x", empty));
      assertThat(problem).hasMessageContainingAll("'x'", "no value");
      assertThat(problem.error()).isEqualTo(RowError.WRONG_COUNT);
    }
  }

  @Test
  void contextAndFeatureListsAreNotTakenForEachOther() {
    StructType nested = schema("x", array(array(DataTypes.LongType)));

    BadRecordException feature = problem(nested, Examples.sequence(features("x", longs(1))));
    assertThat(feature).hasMessageContainingAll("'x'", "context");
    assertThat(feature.error()).isEqualTo(RowError.WRONG_KIND);

    MessageLite lists = Examples.sequence(features(), "x", List.of(longs(1)));
    for (DataType type : List.of(DataTypes.LongType, array(DataTypes.LongType))) {
      BadRecordException list = problem(schema("x", type), lists);
      assertThat(list).hasMessageContainingAll("'x'", "feature list");
      assertThat(list.error()).isEqualTo(RowError.WRONG_KIND);
      assertThat(list.remedy()).contains("array of arrays");
    }
  }

  @Test
  void everyStepIsLookedAt() {
    StructType schema = schema("x", array(array(DataTypes.IntegerType)));

    BadRecordException kind =
        problem(schema, Examples.sequence(features(), "x", List.of(longs(1), floats(1))));
    assertThat(kind).hasMessageContainingAll("'x'", "FLOAT");
    assertThat(kind.error()).isEqualTo(RowError.WRONG_KIND);

    BadRecordException range =
        problem(schema, Examples.sequence(features(), "x", List.of(longs(1), longs(1L << 33))));
    assertThat(range).hasMessageContainingAll("'x'", "8589934592");
    assertThat(range.error()).isEqualTo(RowError.OUT_OF_RANGE);
  }

  @Test
  void bytesThatAreNoRecordAreSaidToBeNone() {
    RowDecoder decoder = RowDecoder.of(schema("x", DataTypes.LongType), RecordType.EXAMPLE);

    BadRecordException problem =
        catchThrowableOfType(
            BadRecordException.class, () -> Rows.decode(decoder, new byte[] {10, 100, 1}));

    assertThat(problem).hasMessageContaining("no Example").hasCauseInstanceOf(Exception.class);
    assertThat(problem.error()).isEqualTo(RowError.NOT_A_RECORD);
    assertThat(problem.remedy()).contains("recordType");
  }

  @Test
  void aDecoderGoesOnAfterABadRecord() throws Exception {
    StructType schema = schema("x", array(DataTypes.StringType), "y", DataTypes.LongType);
    RowDecoder decoder = RowDecoder.of(schema, RecordType.EXAMPLE);
    byte[] bad = example("x", texts("left", "over"), "y", texts("?")).toByteArray();

    assertThatThrownBy(() -> Rows.decode(decoder, bad)).isInstanceOf(BadRecordException.class);

    assertThat(Rows.decode(decoder, example("y", longs(1)).toByteArray()))
        .isEqualTo(Rows.unsafe(schema, null, 1L));
  }

  static Stream<Arguments> unsupported() {
    DataType struct = schema("a", DataTypes.LongType);
    return Stream.of(
            struct,
            DataTypes.createMapType(DataTypes.StringType, DataTypes.LongType),
            DataTypes.CalendarIntervalType,
            DataTypes.VariantType,
            DataTypes.createYearMonthIntervalType(),
            new MatrixUDT(),
            array(struct),
            array(DataTypes.NullType),
            array(new VectorUDT()),
            array(array(array(DataTypes.LongType))))
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("unsupported")
  void typesThatNoFeatureHoldsAreRefused(DataType type) {
    StructType schema = schema("größe", type);
    for (RecordType records : List.of(RecordType.EXAMPLE, RecordType.SEQUENCE_EXAMPLE)) {
      for (Runnable run :
          List.<Runnable>of(
              () -> RowDecoder.of(schema, records), () -> RowEncoder.of(schema, records))) {
        assertThatThrownBy(run::run)
            .isInstanceOf(TfosException.class)
            .hasMessageContainingAll("[TFOS-ROW-001]", "'größe'", type.simpleString());
      }
    }
  }

  @Test
  void arraysOfArraysNeedSequenceExamples() {
    StructType schema = schema("x", array(array(DataTypes.LongType)));

    assertThatThrownBy(() -> RowEncoder.of(schema, RecordType.EXAMPLE))
        .isInstanceOf(TfosException.class)
        .hasMessageContainingAll("[TFOS-ROW-001]", "'x'", "recordType=SequenceExample");
  }

  @Test
  void recordsAsTheyAreNeedOneBinaryColumn() {
    for (StructType schema :
        List.of(
            schema("byteArray", DataTypes.StringType),
            schema("a", DataTypes.BinaryType, "b", DataTypes.BinaryType))) {
      assertThatThrownBy(() -> RowDecoder.of(schema, RecordType.BYTE_ARRAY))
          .isInstanceOf(TfosException.class)
          .hasMessageContainingAll("[TFOS-ROW-001]", "binary", schema.simpleString());
    }
    assertThatThrownBy(() -> RowEncoder.of(new StructType(), RecordType.BYTE_ARRAY))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-ROW-001]");
  }
}
