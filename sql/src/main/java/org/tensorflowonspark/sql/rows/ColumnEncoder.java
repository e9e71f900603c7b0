/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.Platform;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/** Writes one column of a row as the feature, or feature list, of its name. */
abstract class ColumnEncoder {
  final Column column;

  private ColumnEncoder(Column column) {
    this.column = column;
  }

  static ColumnEncoder of(Column column, boolean exactNumbers) {
    return switch (column.shape()) {
      case SCALAR -> new Scalar(column, ValueEncoder.of(column, exactNumbers));
      case ARRAY -> new List(column, ValueEncoder.of(column, exactNumbers));
      case NESTED -> new Nested(column, ValueEncoder.of(column, exactNumbers));
      case VECTOR -> new Vector(column, ValueEncoder.of(column, exactNumbers));
      case NULL ->
          new ColumnEncoder(column) {
            @Override
            void present(InternalRow row, ExampleWriter out, int feature) {}
          };
    };
  }

  /** Writes the feature, or leaves it out for a null. */
  final void encode(InternalRow row, ExampleWriter out, int feature) {
    if (!row.isNullAt(column.ordinal())) {
      present(row, out, feature);
    } else if (!column.nullable()) {
      throw new TfosException(
          RowError.NULL_VALUE,
          "Column '" + column.name() + "' is not nullable, but has a null",
          "Correct the schema, or filter rows with nulls out before writing.");
    }
  }

  abstract void present(InternalRow row, ExampleWriter out, int feature);

  /** Refuses arrays with nulls, for which records have no place. */
  static void checkNoNulls(Column column, ArrayData array) {
    int count = array.numElements();
    if (array instanceof UnsafeArrayData unsafe) {
      long bits = unsafe.getBaseOffset() + Long.BYTES;
      boolean none = true;
      for (int word = 0; word < (count + 63) / 64; word++) {
        none &= Platform.getLong(unsafe.getBaseObject(), bits + (long) word * Long.BYTES) == 0;
      }
      if (none) {
        return;
      }
    }
    for (int i = 0; i < count; i++) {
      if (array.isNullAt(i)) {
        throw new TfosException(
            RowError.NULL_VALUE,
            "Column '" + column.name() + "' has an array whose element " + i + " is null",
            "Replace or filter such elements, as with filter("
                + column.name()
                + ", x -> x is not null).");
      }
    }
  }

  private static final class Scalar extends ColumnEncoder {
    private final ValueEncoder values;

    Scalar(Column column, ValueEncoder values) {
      super(column);
      this.values = values;
    }

    @Override
    void present(InternalRow row, ExampleWriter out, int feature) {
      values.one(row, column.ordinal(), out, feature);
    }
  }

  private static final class List extends ColumnEncoder {
    private final ValueEncoder values;

    List(Column column, ValueEncoder values) {
      super(column);
      this.values = values;
    }

    @Override
    void present(InternalRow row, ExampleWriter out, int feature) {
      ArrayData array = row.getArray(column.ordinal());
      checkNoNulls(column, array);
      values.all(array, out, feature);
    }
  }

  private static final class Nested extends ColumnEncoder {
    private final ValueEncoder values;

    Nested(Column column, ValueEncoder values) {
      super(column);
      this.values = values;
    }

    @Override
    void present(InternalRow row, ExampleWriter out, int feature) {
      ArrayData arrays = row.getArray(column.ordinal());
      checkNoNulls(column, arrays);
      int steps = arrays.numElements();
      out.beginList(feature, steps);
      for (int i = 0; i < steps; i++) {
        ArrayData step = arrays.getArray(i);
        checkNoNulls(column, step);
        values.all(step, out, ValueEncoder.NEXT_STEP);
      }
    }
  }

  /** Dense, also where the vector is sparse: a feature has no other form. */
  private static final class Vector extends ColumnEncoder {
    private static final int PARTS = 4;
    private static final byte DENSE = 1;

    /** Most values of a sparse vector that an array can hold when it is dense. */
    private static final int MAX_SIZE = Integer.MAX_VALUE / Double.BYTES - 64;

    private final ValueEncoder values;
    private final UnsafeArrayData spread = new UnsafeArrayData();
    private byte[] bytes = new byte[0];

    Vector(Column column, ValueEncoder values) {
      super(column);
      this.values = values;
    }

    @Override
    void present(InternalRow row, ExampleWriter out, int feature) {
      InternalRow parts = row.getStruct(column.ordinal(), PARTS);
      ArrayData given = parts.getArray(3);
      if (parts.getByte(0) != DENSE) {
        given = spread(parts.getInt(1), parts.getArray(2), given);
      }
      values.all(given, out, feature);
    }

    private ArrayData spread(int size, ArrayData places, ArrayData given) {
      if (size > MAX_SIZE) {
        throw new TfosException(
            RowError.OUT_OF_RANGE,
            "Column '" + column.name() + "' has a sparse vector of " + size + " values",
            "Records hold vectors dense: write its indices and values as two arrays instead.");
      }
      int header = UnsafeArrayData.calculateHeaderPortionInBytes(size);
      int length = header + size * Double.BYTES;
      if (bytes.length < length) {
        bytes = new byte[length];
      }
      Arrays.fill(bytes, 0, length, (byte) 0);
      Platform.putLong(bytes, Platform.BYTE_ARRAY_OFFSET, size);
      spread.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, length);
      for (int i = 0; i < places.numElements(); i++) {
        spread.setDouble(places.getInt(i), given.getDouble(i));
      }
      return spread;
    }
  }
}
