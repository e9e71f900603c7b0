/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.math.BigDecimal;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.Platform;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.DType;

/**
 * Copies and converts the scalars of one column. Equal types are copied as memory; the others pass,
 * a block at a time, through an array of longs or doubles, so that there are as many loops as types
 * and not as pairs of types, each without calls or branches on the type.
 */
final class Values {
  private static final int BLOCK = 512;

  private final PlannedColumn column;
  private final RowPosition position;
  private final boolean same;
  private final int bytes;
  private final boolean whole;
  private final Stores stores;
  private final long[] longs = new long[BLOCK];
  private final double[] doubles = new double[BLOCK];

  /** Index within the array of the value that is converted alone, for messages. */
  private int element;

  Values(PlannedColumn column, RowPosition position) {
    this.column = column;
    this.position = position;
    this.same = column.type().same() == column.dtype();
    this.bytes = column.dtype().bytes();
    boolean floats = column.dtype() == DType.FLOAT32 || column.dtype() == DType.FLOAT64;
    // A decimal with a scale that is to be cut becomes a long first: a double would round large
    // ones.
    this.whole =
        column.type().family() == SourceType.Family.INTEGER
            || (column.type() == SourceType.DECIMAL && !floats);
    this.stores = new Stores(column.dtype(), column.target().allowLossy());
  }

  /** One value, known not to be null. */
  void scalar(SpecializedGetters in, int ordinal, byte[] dst, int at) {
    long to = (long) Platform.BYTE_ARRAY_OFFSET + at;
    if (same) {
      switch (column.type()) {
        case LONG -> Platform.putLong(dst, to, in.getLong(ordinal));
        case INT -> Platform.putInt(dst, to, in.getInt(ordinal));
        case SHORT -> Platform.putShort(dst, to, in.getShort(ordinal));
        case BYTE -> dst[at] = in.getByte(ordinal);
        case BOOLEAN -> dst[at] = (byte) (in.getBoolean(ordinal) ? 1 : 0);
        case FLOAT -> Platform.putFloat(dst, to, in.getFloat(ordinal));
        case DOUBLE -> Platform.putDouble(dst, to, in.getDouble(ordinal));
        default -> throw new IllegalStateException(column.label());
      }
    } else if (whole) {
      longs[0] = wholeOf(in, ordinal);
      check(stores.longs(longs, 1, dst, to), element);
    } else {
      doubles[0] = fractionOf(in, ordinal);
      check(stores.doubles(doubles, longs, 1, dst, to), element);
    }
  }

  /** All values of an array; nulls are replaced or fail. */
  void array(ArrayData in, int n, byte[] dst, int at) {
    if (column.type().bytes() == 0
        || !(in instanceof UnsafeArrayData array)
        || Containers.anyNull(array)) {
      oneByOne(in, n, dst, at);
      return;
    }
    unsafe(array.getBaseObject(), Containers.elements(array), n, dst, at);
  }

  private void unsafe(Object base, long from, int n, byte[] dst, int at) {
    long to = (long) Platform.BYTE_ARRAY_OFFSET + at;
    if (same) {
      Platform.copyMemory(base, from, dst, to, (long) n * bytes);
      return;
    }
    for (int done = 0; done < n; done += BLOCK) {
      int block = Math.min(BLOCK, n - done);
      long source = from + (long) done * column.type().bytes();
      long target = to + (long) done * bytes;
      if (whole) {
        Loads.longs(column.type(), base, source, block, longs);
        check(stores.longs(longs, block, dst, target), done);
      } else {
        Loads.doubles(column.type(), base, source, block, doubles);
        check(stores.doubles(doubles, longs, block, dst, target), done);
      }
    }
  }

  private void oneByOne(ArrayData in, int n, byte[] dst, int at) {
    byte[] nullValue = column.nullValue();
    for (int i = 0; i < n; i++) {
      if (!in.isNullAt(i)) {
        element = i;
        scalar(in, i, dst, at + i * bytes);
      } else if (nullValue != null) {
        System.arraycopy(nullValue, 0, dst, at + i * bytes, bytes);
      } else {
        throw position.nullValue(column, "element " + i + " of the array is null");
      }
    }
  }

  private long wholeOf(SpecializedGetters in, int ordinal) {
    return switch (column.type()) {
      case BOOLEAN -> in.getBoolean(ordinal) ? 1 : 0;
      case BYTE -> in.getByte(ordinal);
      case SHORT -> in.getShort(ordinal);
      case INT -> in.getInt(ordinal);
      case LONG -> in.getLong(ordinal);
      case WHOLE_DECIMAL, DECIMAL -> {
        BigDecimal value =
            in.getDecimal(ordinal, column.precision(), column.scale()).toJavaBigDecimal();
        try {
          yield value.toBigInteger().longValueExact();
        } catch (ArithmeticException e) {
          throw bad(ColumnError.OUT_OF_RANGE, value.toPlainString(), element);
        }
      }
      default -> throw new IllegalStateException(column.label());
    };
  }

  private double fractionOf(SpecializedGetters in, int ordinal) {
    return switch (column.type()) {
      case FLOAT -> in.getFloat(ordinal);
      case DOUBLE -> in.getDouble(ordinal);
      case DECIMAL -> in.getDecimal(ordinal, column.precision(), column.scale()).toDouble();
      default -> throw new IllegalStateException(column.label());
    };
  }

  private void check(int firstBad, int done) {
    if (firstBad >= 0) {
      String value = whole ? Long.toString(longs[firstBad]) : Double.toString(doubles[firstBad]);
      boolean range = !whole || stores.outOfRange();
      throw bad(
          range ? ColumnError.OUT_OF_RANGE : ColumnError.INEXACT_VALUE, value, done + firstBad);
    }
  }

  private TfosException bad(ColumnError code, String value, int element) {
    String where = column.arrayRun() ? "element " + element + " is " : "the value is ";
    return position.error(
        code,
        column,
        where
            + value
            + (code == ColumnError.OUT_OF_RANGE
                ? ", out of the range of "
                : ", which is not exact in ")
            + column.dtype().text(),
        code == ColumnError.OUT_OF_RANGE
            ? "Give the tensor a wider type or filter such rows."
            : "Give the tensor a wider type, or allow lossy conversion to round it.");
  }
}
