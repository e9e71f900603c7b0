/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigDecimal;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/** Writes the values of a column, one or many at a time. */
abstract class ValueEncoder {
  /** In place of a feature: the next step of the feature list that was begun. */
  static final int NEXT_STEP = -1;

  static ValueEncoder of(Column column, boolean exactNumbers) {
    return switch (column.value()) {
      case BOOLEAN, BYTE, SHORT, INT, LONG -> new Whole(column.value());
      case FLOAT -> new Float32();
      case DOUBLE, DECIMAL -> exactNumbers ? new Text(column) : new Narrowed(column);
      case BYTES -> new Bytes(column.valueType() instanceof BinaryType);
    };
  }

  /** Writes the value at {@code ordinal}, which is not null, as a feature. */
  abstract void one(SpecializedGetters row, int ordinal, ExampleWriter out, int feature);

  /** Writes all elements, none of which is null, as a feature or step. */
  abstract void all(ArrayData array, ExampleWriter out, int feature);

  private static final class Whole extends ValueEncoder {
    private final Column.Value value;
    private long[] values = new long[16];

    Whole(Column.Value value) {
      this.value = value;
    }

    @Override
    void one(SpecializedGetters row, int ordinal, ExampleWriter out, int feature) {
      values[0] =
          switch (value) {
            case LONG -> row.getLong(ordinal);
            case INT -> row.getInt(ordinal);
            case SHORT -> row.getShort(ordinal);
            case BYTE -> row.getByte(ordinal);
            default -> row.getBoolean(ordinal) ? 1 : 0;
          };
      out.longs(feature, values, 0, 1);
    }

    @Override
    void all(ArrayData array, ExampleWriter out, int feature) {
      int count = array.numElements();
      if (values.length < count) {
        values = new long[count];
      }
      get(array, values, count);
      if (feature == NEXT_STEP) {
        out.stepLongs(values, 0, count);
      } else {
        out.longs(feature, values, 0, count);
      }
    }

    private void get(ArrayData from, long[] to, int count) {
      switch (value) {
        case LONG -> {
          for (int i = 0; i < count; i++) {
            to[i] = from.getLong(i);
          }
        }
        case INT -> {
          for (int i = 0; i < count; i++) {
            to[i] = from.getInt(i);
          }
        }
        case SHORT -> {
          for (int i = 0; i < count; i++) {
            to[i] = from.getShort(i);
          }
        }
        case BYTE -> {
          for (int i = 0; i < count; i++) {
            to[i] = from.getByte(i);
          }
        }
        default -> {
          for (int i = 0; i < count; i++) {
            to[i] = from.getBoolean(i) ? 1 : 0;
          }
        }
      }
    }
  }

  /** A base for what becomes floats. */
  private abstract static class Floats extends ValueEncoder {
    private float[] values = new float[16];

    abstract float get(SpecializedGetters from, int ordinal);

    void get(ArrayData from, float[] to, int count) {
      for (int i = 0; i < count; i++) {
        to[i] = get(from, i);
      }
    }

    @Override
    final void one(SpecializedGetters row, int ordinal, ExampleWriter out, int feature) {
      values[0] = get(row, ordinal);
      out.floats(feature, values, 0, 1);
    }

    @Override
    void all(ArrayData array, ExampleWriter out, int feature) {
      int count = array.numElements();
      if (values.length < count) {
        values = new float[count];
      }
      get(array, values, count);
      if (feature == NEXT_STEP) {
        out.stepFloats(values, 0, count);
      } else {
        out.floats(feature, values, 0, count);
      }
    }
  }

  private static final class Float32 extends Floats {
    @Override
    float get(SpecializedGetters from, int ordinal) {
      return from.getFloat(ordinal);
    }

    /** Spark's binary form of an array holds the floats as the record does: one copy. */
    @Override
    void all(ArrayData array, ExampleWriter out, int feature) {
      if (!(array instanceof UnsafeArrayData unsafe) || !RowBuffer.IS_LITTLE_ENDIAN) {
        super.all(array, out, feature);
        return;
      }
      int count = unsafe.numElements();
      int at =
          feature == NEXT_STEP ? out.reserveStepFloats(count) : out.reserveFloats(feature, count);
      Platform.copyMemory(
          unsafe.getBaseObject(),
          unsafe.getBaseOffset() + UnsafeArrayData.calculateHeaderPortionInBytes((long) count),
          out.buffer(),
          Platform.BYTE_ARRAY_OFFSET + at,
          (long) count * Float.BYTES);
    }
  }

  /** Doubles and decimals as the nearest floats. */
  private static final class Narrowed extends Floats {
    private final Column column;
    private final int precision;
    private final int scale;
    private double[] doubles = new double[16];

    Narrowed(Column column) {
      this.column = column;
      DecimalType type = column.valueType() instanceof DecimalType decimal ? decimal : null;
      precision = type == null ? 0 : type.precision();
      scale = type == null ? 0 : type.scale();
    }

    @Override
    float get(SpecializedGetters from, int ordinal) {
      if (precision > 0) {
        return from.getDecimal(ordinal, precision, scale).toJavaBigDecimal().floatValue();
      }
      double value = from.getDouble(ordinal);
      float nearest = (float) value;
      check(value, nearest);
      return nearest;
    }

    /** Two plain loops, which the JVM makes fast. */
    @Override
    void get(ArrayData from, float[] to, int count) {
      if (precision > 0 || !(from instanceof UnsafeArrayData unsafe)) {
        super.get(from, to, count);
        return;
      }
      if (doubles.length < count) {
        doubles = new double[count];
      }
      double[] given = doubles;
      Platform.copyMemory(
          unsafe.getBaseObject(),
          unsafe.getBaseOffset() + UnsafeArrayData.calculateHeaderPortionInBytes((long) count),
          given,
          Platform.DOUBLE_ARRAY_OFFSET,
          (long) count * Double.BYTES);
      for (int i = 0; i < count; i++) {
        to[i] = (float) given[i];
      }
      for (int i = 0; i < count; i++) {
        check(given[i], to[i]);
      }
    }

    private void check(double value, float nearest) {
      if (Float.isInfinite(nearest) && !Double.isInfinite(value)) {
        throw tooLarge(value);
      }
    }

    private TfosException tooLarge(double value) {
      return new TfosException(
          RowError.OUT_OF_RANGE,
          "Column '" + column.name() + "' holds " + value + ", which no float can hold",
          "Write with the option doubles=exact, or scale the column.");
    }
  }

  /** Doubles and decimals as text that gives the same number back. */
  private static final class Text extends ValueEncoder {
    private final int precision;
    private final int scale;

    Text(Column column) {
      DecimalType type = column.valueType() instanceof DecimalType decimal ? decimal : null;
      precision = type == null ? 0 : type.precision();
      scale = type == null ? 0 : type.scale();
    }

    @Override
    void one(SpecializedGetters row, int ordinal, ExampleWriter out, int feature) {
      out.beginBytes(feature, 1);
      put(row, ordinal, out);
    }

    @Override
    void all(ArrayData array, ExampleWriter out, int feature) {
      int count = array.numElements();
      begin(out, feature, count);
      for (int i = 0; i < count; i++) {
        put(array, i, out);
      }
    }

    private void put(SpecializedGetters from, int ordinal, ExampleWriter out) {
      String text;
      if (precision == 0) {
        text = Double.toString(from.getDouble(ordinal));
      } else {
        BigDecimal value = from.getDecimal(ordinal, precision, scale).toJavaBigDecimal();
        text = value.toPlainString();
      }
      byte[] bytes = text.getBytes(US_ASCII);
      out.bytes(bytes, 0, bytes.length);
    }
  }

  private static final class Bytes extends ValueEncoder {
    private final boolean binary;

    Bytes(boolean binary) {
      this.binary = binary;
    }

    @Override
    void one(SpecializedGetters row, int ordinal, ExampleWriter out, int feature) {
      out.beginBytes(feature, 1);
      put(row, ordinal, out);
    }

    @Override
    void all(ArrayData array, ExampleWriter out, int feature) {
      int count = array.numElements();
      begin(out, feature, count);
      for (int i = 0; i < count; i++) {
        put(array, i, out);
      }
    }

    /** Copies from where Spark has the bytes, without an array between where it can be. */
    private void put(SpecializedGetters from, int ordinal, ExampleWriter out) {
      if (from instanceof UnsafeRow row) {
        copy(row.getBaseObject(), row.getBaseOffset(), row.getLong(ordinal), out);
      } else if (from instanceof UnsafeArrayData array) {
        copy(array.getBaseObject(), array.getBaseOffset(), array.getLong(ordinal), out);
      } else if (binary) {
        byte[] bytes = from.getBinary(ordinal);
        out.bytes(bytes, 0, bytes.length);
      } else {
        UTF8String text = from.getUTF8String(ordinal);
        copy(text.getBaseObject(), text.getBaseOffset(), text.numBytes(), out);
      }
    }

    /**
     * @param place offset from {@code base} in the upper half, length in the lower
     */
    private static void copy(Object object, long base, long place, ExampleWriter out) {
      int length = (int) place;
      int at = out.reserveBytes(length);
      Platform.copyMemory(
          object,
          base + (place >>> 32),
          out.buffer(),
          Platform.BYTE_ARRAY_OFFSET + at,
          length);
    }
  }

  private static void begin(ExampleWriter out, int feature, int count) {
    if (feature == NEXT_STEP) {
      out.stepBytes(count);
    } else {
      out.beginBytes(feature, count);
    }
  }
}
