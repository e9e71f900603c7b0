/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.tensorflowonspark.sql.rows.Rows.array;
import static org.tensorflowonspark.sql.rows.Rows.list;
import static org.tensorflowonspark.sql.rows.Rows.schema;
import static org.tensorflowonspark.sql.rows.Rows.unsafe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.VectorUDT;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows come back to the last byte as Spark's own projection makes them. */
class RowRoundTripTest {
  private static final long SEED = 20_240_229;

  static Stream<Arguments> types() {
    return Rows.VALUE_TYPES.stream()
        .flatMap(t -> Stream.of(Arguments.of(t, false), Arguments.of(t, true)));
  }

  private static void assertRoundTrip(
      StructType schema, RecordType type, boolean exact, List<Object[]> rows) throws Exception {
    RowEncoder encoder =
        exact ? RowEncoder.withExactNumbers(schema, type) : RowEncoder.of(schema, type);
    RowDecoder decoder = RowDecoder.of(schema, type);
    for (Object[] values : rows) {
      UnsafeRow row = unsafe(schema, values);
      for (InternalRow input : List.of(row, Rows.generic(values))) {
        UnsafeRow back = Rows.decode(decoder, Rows.encode(encoder, input));

        assertThat(back.getBytes()).as("bytes of %s, seed %s", row, SEED).isEqualTo(row.getBytes());
        assertThat(back).isEqualTo(row).hasSameHashCodeAs(row);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  void singleValuesAndNullsComeBack(DataType type, boolean exact) throws Exception {
    RandomValues values = new RandomValues(SEED, exact);
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      rows.add(new Object[] {i % 5 == 0 ? null : values.value(type), values.value(type)});
    }
    StructType schema = schema("maybe", type).add("always", type, false);
    assertRoundTrip(schema, RecordType.EXAMPLE, exact, rows);
    assertRoundTrip(schema, RecordType.SEQUENCE_EXAMPLE, exact, rows);
  }

  @ParameterizedTest
  @MethodSource("types")
  void listsOfNoneOneAndManyValuesAndNullsComeBackInOneColumn(DataType type, boolean exact)
      throws Exception {
    RandomValues values = new RandomValues(SEED, exact);
    List<Object[]> rows = new ArrayList<>();
    for (int length : new int[] {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 200, 0, 1, 5}) {
      rows.add(new Object[] {values.list(type, length), values.list(type, 1)});
      rows.add(new Object[] {null, values.list(type, length)});
    }
    StructType schema = schema("maybe", array(type)).add("always", array(type), false);
    assertRoundTrip(schema, RecordType.EXAMPLE, exact, rows);
    assertRoundTrip(schema, RecordType.SEQUENCE_EXAMPLE, exact, rows);
  }

  @ParameterizedTest
  @MethodSource("types")
  void listsOfListsComeBack(DataType type, boolean exact) throws Exception {
    RandomValues values = new RandomValues(SEED, exact);
    List<Object[]> rows = new ArrayList<>();
    for (int[] lengths :
        new int[][] {{}, {0}, {1}, {0, 0}, {3, 0, 1}, {65, 2}, {}, {1, 2, 3, 4, 5, 6, 7, 8, 9}}) {
      Object[] steps =
          Arrays.stream(lengths).mapToObj(length -> values.list(type, length)).toArray();
      rows.add(new Object[] {list(steps)});
      rows.add(new Object[] {null});
    }
    assertRoundTrip(schema("steps", array(array(type))), RecordType.SEQUENCE_EXAMPLE, exact, rows);
  }

  @Test
  void denseVectorsComeBackAndSparseOnesAsDense() throws Exception {
    VectorUDT vectors = (VectorUDT) SQLDataTypes.VectorType();
    StructType schema = schema("v", vectors, "n", DataTypes.LongType);
    List<Object[]> rows = new ArrayList<>();
    for (Vector vector :
        List.of(Vectors.dense(1, 0.5, -2), Vectors.dense(new double[0]), Vectors.zeros(100))) {
      rows.add(new Object[] {vectors.serialize(vector), 1L});
      rows.add(new Object[] {null, 2L});
    }
    assertRoundTrip(schema, RecordType.EXAMPLE, false, rows);
    assertRoundTrip(schema, RecordType.EXAMPLE, true, rows);

    RowEncoder encoder = RowEncoder.of(schema, RecordType.EXAMPLE);
    RowDecoder decoder = RowDecoder.of(schema, RecordType.EXAMPLE);
    for (Vector vector :
        List.of(
            Vectors.sparse(6, new int[] {1, 4}, new double[] {7, -8}),
            Vectors.sparse(3, new int[0], new double[0]),
            Vectors.sparse(6, new int[] {0}, new double[] {9}))) {
      Object[] values = {vectors.serialize(vector), 3L};
      UnsafeRow back = Rows.decode(decoder, Rows.encode(encoder, unsafe(schema, values)));

      assertThat(back)
          .isEqualTo(unsafe(schema, vectors.serialize(Vectors.dense(vector.toArray())), 3L));
    }
  }

  @Test
  void exactVectorsKeepDoublesThatAreNoFloats() throws Exception {
    VectorUDT vectors = (VectorUDT) SQLDataTypes.VectorType();
    List<Object[]> rows = new ArrayList<>();
    rows.add(new Object[] {vectors.serialize(Vectors.dense(0.1, 1e300, Double.NaN))});
    assertRoundTrip(schema("v", vectors), RecordType.EXAMPLE, true, rows);
  }

  @Test
  void bytesOfAnyKindComeBackAsTheyAre() throws Exception {
    StructType schema = schema("byteArray", DataTypes.BinaryType);
    RowEncoder encoder = RowEncoder.of(schema, RecordType.BYTE_ARRAY);
    RowDecoder decoder = RowDecoder.of(schema, RecordType.BYTE_ARRAY);
    for (int length : new int[] {0, 1, 8, 9, 5000, 3}) {
      byte[] bytes = new byte[length];
      Arrays.fill(bytes, (byte) 0xfe);

      byte[] record = Rows.encode(encoder, unsafe(schema, bytes));

      assertThat(record).isEqualTo(bytes);
      assertThat(Rows.decode(decoder, record)).isEqualTo(unsafe(schema, bytes));
    }
  }
}
