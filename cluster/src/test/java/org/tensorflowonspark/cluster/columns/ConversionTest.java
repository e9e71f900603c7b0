/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.DType;

/** Every number type to every tensor type, held against exact arithmetic. */
class ConversionTest {
  private static final List<DType> NUMBERS =
      Arrays.stream(DType.values())
          .filter(t -> t != DType.STRING && t != DType.FLOAT16 && t != DType.BFLOAT16)
          .toList();

  private record Source(DataType type, boolean whole, List<?> values) {}

  private static final List<Source> SOURCES =
      List.of(
          new Source(DataTypes.BooleanType, true, List.of(true, false)),
          new Source(
              DataTypes.ByteType, true, List.of((byte) 0, (byte) 1, (byte) -128, (byte) 127)),
          new Source(
              DataTypes.ShortType, true, List.of((short) 0, (short) 255, (short) 256, (short) -1)),
          new Source(
              DataTypes.IntegerType,
              true,
              List.of(0, 1, -1, 65535, 65536, 16777216, 16777217, Integer.MAX_VALUE, -2147483648)),
          new Source(
              DataTypes.LongType,
              true,
              List.of(
                  0L,
                  1L,
                  -1L,
                  1L << 24,
                  (1L << 24) + 1,
                  1L << 32,
                  (1L << 32) - 1,
                  (1L << 53) + 1,
                  1L << 62,
                  Long.MAX_VALUE,
                  Long.MAX_VALUE - 1,
                  Long.MIN_VALUE)),
          new Source(
              DataTypes.FloatType,
              false,
              List.of(0f, -0f, 1f, 1.5f, -2.75f, 300f, 3e9f, Float.MAX_VALUE, Float.MIN_VALUE)),
          new Source(
              DataTypes.DoubleType,
              false,
              List.of(0.0, 1.0, 0.1, -0.9, 255.9, 1e300, -1e40, 0x1p63, 1e-300, 0x1.fffffep127)),
          new Source(
              DataTypes.createDecimalType(10, 0),
              true,
              List.of(new BigDecimal("0"), new BigDecimal("9999999999"), new BigDecimal("-3"))),
          new Source(
              DataTypes.createDecimalType(30, 5),
              false,
              List.of(
                  new BigDecimal("0.00000"),
                  new BigDecimal("7.25000"),
                  new BigDecimal("9007199254740993.50000"),
                  new BigDecimal("1234567890123456789012345.67891"))));

  static Stream<Arguments> pairs() {
    return SOURCES.stream()
        .flatMap(
            s ->
                NUMBERS.stream()
                    .flatMap(
                        t ->
                            Stream.of(false, true)
                                .map(lossy -> Arguments.of(s.type(), t, lossy, s))));
  }

  @ParameterizedTest(name = "{0} to {1}, lossy {2}")
  @MethodSource("pairs")
  void everyNumberIsExactOrAnError(DataType type, DType dtype, boolean lossy, Object source) {
    Source from = (Source) source;
    StructType scalars = Rows.schema("c", type);
    StructType arrays = Rows.schema("c", Rows.arrayOf(type));
    boolean floats = dtype == DType.FLOAT32 || dtype == DType.FLOAT64;
    if (!from.whole() && !floats && !lossy) {
      assertThatThrownBy(() -> ColumnPlan.of(scalars, List.of(ColumnTarget.of("x", "c", dtype))))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("TFOS-COLUMN-003")
          .hasMessageContaining("'c'");
      return;
    }
    for (Object value : from.values()) {
      Object expected = expected(value, from.whole(), dtype, lossy);
      ColumnTarget scalar = ColumnTarget.of("x", "c", dtype);
      check(scalars, lossy ? scalar.lossy() : scalar, value, expected, 1, 0);
      // Longer than a block of the conversion loops, the value at the end.
      int n = 1100;
      List<Object> many = new ArrayList<>(Collections.nCopies(n - 1, from.values().get(0)));
      many.add(value);
      ColumnTarget array = ColumnTarget.of("x", "c", dtype, n);
      check(arrays, lossy ? array.lossy() : array, many.toArray(), expected, n, n - 1);
    }
  }

  private static void check(
      StructType schema,
      ColumnTarget target,
      Object value,
      @Nullable Object expected,
      int n,
      int at) {
    ColumnPlan plan = ColumnPlan.of(schema, List.of(target));
    for (boolean unsafe : new boolean[] {true, false}) {
      var row = unsafe ? Rows.unsafe(schema, value) : Rows.generic(schema, value);
      if (expected == null) {
        assertThatThrownBy(() -> Rows.batch(plan, row))
            .as("%s as %s", value, target)
            .isInstanceOf(TfosException.class)
            .hasMessageMatching(
                "(?s)\\[TFOS-COLUMN-0(09|10)].*'c'.*row 0 of partition 0: .*"
                    + (n > 1 ? "element " + at + ".*" : ""));
      } else {
        List<Object> values = Rows.batch(plan, row).values(0);
        assertThat(values).hasSize(n);
        assertThat(values.get(at)).as("%s as %s", value, target).isEqualTo(expected);
      }
    }
  }

  /** The element by exact arithmetic, or null where it is an error. */
  private static @Nullable Object expected(
      Object value, boolean whole, DType dtype, boolean lossy) {
    BigDecimal exact =
        value instanceof Boolean b
            ? (b ? BigDecimal.ONE : BigDecimal.ZERO)
            : value instanceof Float f ? new BigDecimal(f.doubleValue()) : decimal(value);
    if (dtype == DType.FLOAT32) {
      float f = exact.floatValue();
      if (value instanceof Float same) {
        return same;
      }
      if (value instanceof BigDecimal && !whole) {
        f = (float) exact.doubleValue();
      }
      boolean good = whole ? new BigDecimal(f).compareTo(exact) == 0 : !Float.isInfinite(f);
      return good || lossy ? f : null;
    }
    if (dtype == DType.FLOAT64) {
      if (value instanceof Float same) {
        return same.doubleValue();
      }
      double d = exact.doubleValue();
      return !whole || lossy || new BigDecimal(d).compareTo(exact) == 0 ? d : null;
    }
    BigInteger integer = exact.setScale(0, RoundingMode.DOWN).toBigInteger();
    if (dtype == DType.BOOL) {
      boolean beyond = integer.bitLength() > 63 && value instanceof BigDecimal;
      if (lossy && beyond) {
        return null;
      }
      if (lossy) {
        boolean fraction = value instanceof Float || value instanceof Double;
        boolean zero = fraction ? exact.signum() == 0 : integer.signum() == 0;
        return zero ? 0L : 1L;
      }
      return integer.bitLength() <= 1 && integer.signum() >= 0 ? integer.longValue() : null;
    }
    boolean unsigned = dtype.name().startsWith("UINT");
    int bits = dtype.bytes() * 8;
    boolean fits =
        unsigned
            // A long is what Spark has: uint64 can be filled up to its half.
            ? integer.signum() >= 0 && integer.bitLength() <= Math.min(63, bits)
            : integer.bitLength() <= bits - 1;
    return fits ? integer.longValue() : null;
  }

  private static BigDecimal decimal(Object value) {
    return value instanceof Double d
        ? new BigDecimal(d)
        : value instanceof BigDecimal b ? b : new BigDecimal(((Number) value).longValue());
  }

  @Test
  void notANumberAndInfinityStayWhatTheyAre() {
    StructType schema = Rows.schema("c", Rows.arrayOf(DataTypes.DoubleType));
    ColumnPlan plan = ColumnPlan.of(schema, List.of(ColumnTarget.of("x", "c", DType.FLOAT32, 3)));
    Double[] values = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    assertThat(Rows.batch(plan, Rows.unsafe(schema, (Object) values)).values(0))
        .containsExactly(Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY);
    ColumnTarget ints = ColumnTarget.of("x", "c", DType.INT32, 3).lossy();
    ColumnPlan cut = ColumnPlan.of(schema, List.of(ints));
    assertThatThrownBy(() -> Rows.batch(cut, Rows.unsafe(schema, (Object) values)))
        .hasMessageContaining("element 0 is NaN, out of the range of int32");
  }

  @Test
  void datesAreDaysAndTimestampsMicroseconds() {
    StructType schema = Rows.schema("d", DataTypes.DateType, "t", DataTypes.TimestampType);
    ColumnPlan plan =
        ColumnPlan.of(
            schema,
            List.of(
                ColumnTarget.of("d", "d", DType.INT32), ColumnTarget.of("t", "t", DType.INT64)));
    Rows.MemorySink batch =
        Rows.batch(
            plan,
            Rows.unsafe(
                schema,
                Date.valueOf("1970-02-01"),
                Timestamp.from(java.time.Instant.ofEpochSecond(1, 2000))));
    assertThat(batch.values(0)).containsExactly(31L);
    assertThat(batch.values(1)).containsExactly(1_000_002L);
  }

  @Test
  void aDecimalBeyondLongFitsFloats() {
    StructType schema = Rows.schema("c", DataTypes.createDecimalType(38, 0));
    BigDecimal large = new BigDecimal("1e30");
    ColumnPlan plan = ColumnPlan.of(schema, List.of(ColumnTarget.of("x", "c", DType.FLOAT64)));
    assertThat(Rows.batch(plan, Rows.unsafe(schema, large)).values(0)).containsExactly(1e30);
    ColumnPlan whole = ColumnPlan.of(schema, List.of(ColumnTarget.of("x", "c", DType.INT64)));
    assertThatThrownBy(() -> Rows.batch(whole, Rows.unsafe(schema, large)))
        .hasMessageContaining("TFOS-COLUMN-010")
        .hasMessageContaining("1000000000000000000000000000000");
  }
}
