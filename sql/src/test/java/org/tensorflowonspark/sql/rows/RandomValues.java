/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import java.math.BigDecimal;
import java.util.Random;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.VectorUDT;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Values in Spark's internal types, edges of their ranges among them. */
final class RandomValues {
  private final Random random;

  /** Whether doubles and decimals need not survive as floats. */
  private final boolean wide;

  RandomValues(long seed, boolean wide) {
    random = new Random(seed);
    this.wide = wide;
  }

  Random random() {
    return random;
  }

  /** A schema of that many columns. */
  StructType schema(int columns, boolean nested) {
    StructType schema = new StructType();
    for (int i = 0; i < columns; i++) {
      schema = schema.add("c" + i + "x".repeat(random.nextInt(12)), type(nested), true);
    }
    return schema;
  }

  private DataType type(boolean nested) {
    DataType value = Rows.VALUE_TYPES.get(random.nextInt(Rows.VALUE_TYPES.size()));
    return switch (random.nextInt(nested ? 4 : 3)) {
      case 0 -> value;
      case 1 -> random.nextInt(5) == 0 ? new VectorUDT() : value;
      case 2 -> Rows.array(value);
      default -> Rows.array(Rows.array(value));
    };
  }

  Object[] row(StructType schema, double nulls) {
    Object[] values = new Object[schema.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextDouble() < nulls ? null : value(schema.fields()[i].dataType());
    }
    return values;
  }

  Object value(DataType type) {
    if (type instanceof ArrayType array) {
      return list(array.elementType(), length());
    }
    if (type instanceof VectorUDT vectors) {
      return vectors.serialize(vector());
    }
    return one(type);
  }

  GenericArrayData list(DataType element, int length) {
    Object[] values = new Object[length];
    for (int i = 0; i < length; i++) {
      values[i] = value(element);
    }
    return new GenericArrayData(values);
  }

  private int length() {
    return switch (random.nextInt(5)) {
      case 0 -> 0;
      case 1 -> 1;
      case 2 -> 60 + random.nextInt(10);
      default -> random.nextInt(9);
    };
  }

  private Vector vector() {
    double[] values = new double[random.nextInt(5)];
    for (int i = 0; i < values.length; i++) {
      values[i] = doubleValue();
    }
    return Vectors.dense(values);
  }

  private Object one(DataType type) {
    long bits = random.nextInt(4) == 0 ? edge() : random.nextLong() >> random.nextInt(64);
    if (type instanceof BooleanType) {
      return random.nextBoolean();
    } else if (type instanceof ByteType) {
      return (byte) bits;
    } else if (type instanceof ShortType) {
      return (short) bits;
    } else if (type instanceof IntegerType || type instanceof DateType) {
      return (int) bits;
    } else if (type instanceof FloatType) {
      return Float.intBitsToFloat((int) bits);
    } else if (type instanceof DoubleType) {
      return doubleValue();
    } else if (type instanceof DecimalType decimal) {
      return decimal(decimal);
    } else if (type instanceof StringType) {
      return UTF8String.fromBytes(bytes());
    } else if (type instanceof BinaryType) {
      return bytes();
    }
    return bits;
  }

  private long edge() {
    return new long[] {
          0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE, Short.MAX_VALUE, 0x7fc0_0001L
        }
        [random.nextInt(8)];
  }

  private double doubleValue() {
    return wide
        ? Double.longBitsToDouble(random.nextLong() & ~(1L << 62))
        : Float.intBitsToFloat(random.nextInt() & ~(1 << 30));
  }

  private Decimal decimal(DecimalType type) {
    // Floats hold six digits of any decimal.
    int digits = wide ? type.precision() : Math.min(6, type.precision());
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
    for (int i = random.nextInt(digits); i < digits; i++) {
      text.append(random.nextInt(10));
    }
    return Decimal.apply(
        new BigDecimal(text.toString()).movePointLeft(type.scale()),
        type.precision(),
        type.scale());
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(3) == 0 ? random.nextInt(300) : random.nextInt(12)];
    random.nextBytes(bytes);
    return bytes;
  }
}
