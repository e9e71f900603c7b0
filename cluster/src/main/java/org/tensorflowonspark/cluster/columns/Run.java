/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.util.Arrays;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * The innermost stretch of neighbouring elements of a value: opened at a place that is known not to
 * be null, then copied once. Reused from row to row.
 */
abstract class Run {

  static Run of(PlannedColumn column, RowPosition position) {
    if (column.type() == SourceType.VECTOR) {
      return new VectorRun(column, position);
    }
    if (column.type() == SourceType.BINARY) {
      return new BinaryRun();
    }
    return column.arrayRun()
        ? new ArrayRun(column, position)
        : new ScalarRun(new Values(column, position));
  }

  /** Goes to a place and returns how many elements there are. */
  abstract int open(SpecializedGetters in, int ordinal);

  abstract void copy(byte[] dst, int at);

  private static final class ScalarRun extends Run {
    private final Values values;
    private @Nullable SpecializedGetters in;
    private int ordinal;

    ScalarRun(Values values) {
      this.values = values;
    }

    @Override
    int open(SpecializedGetters newIn, int newOrdinal) {
      in = newIn;
      ordinal = newOrdinal;
      return 1;
    }

    @Override
    void copy(byte[] dst, int at) {
      values.scalar(Objects.requireNonNull(in), ordinal, dst, at);
    }
  }

  private static final class ArrayRun extends Run {
    private final Values values;
    private final UnsafeArrayData reused = new UnsafeArrayData();
    private ArrayData array = reused;
    private int n;

    ArrayRun(PlannedColumn column, RowPosition position) {
      this.values = new Values(column, position);
    }

    @Override
    int open(SpecializedGetters in, int ordinal) {
      array = Containers.array(in, ordinal, reused);
      n = array.numElements();
      return n;
    }

    @Override
    void copy(byte[] dst, int at) {
      values.array(array, n, dst, at);
    }
  }

  private static final class BinaryRun extends Run {
    private final BytesView bytes = new BytesView();

    @Override
    int open(SpecializedGetters in, int ordinal) {
      bytes.point(in, ordinal, SourceType.BINARY);
      return bytes.size();
    }

    @Override
    void copy(byte[] dst, int at) {
      bytes.copyTo(dst, at);
    }
  }

  /** A struct of type (0 sparse, 1 dense), size, indices and values. */
  private static final class VectorRun extends Run {
    private static final int FIELDS = 4;

    private final PlannedColumn column;
    private final RowPosition position;
    private final Values doubles;
    private final UnsafeRow reused = new UnsafeRow(FIELDS);
    private final UnsafeArrayData reusedValues = new UnsafeArrayData();
    private final UnsafeArrayData reusedIndices = new UnsafeArrayData();
    private ArrayData values = reusedValues;
    private ArrayData indices = reusedIndices;
    private boolean dense;
    private int n;
    private byte[] converted = new byte[0];

    VectorRun(PlannedColumn column, RowPosition position) {
      this.column = column;
      this.position = position;
      this.doubles = new Values(column.ofDoubles(), position);
    }

    @Override
    int open(SpecializedGetters in, int ordinal) {
      SpecializedGetters vector = Containers.struct(in, ordinal, reused);
      values = Containers.array(vector, 3, reusedValues);
      dense = vector.getByte(0) == 1;
      if (dense) {
        n = values.numElements();
      } else {
        n = vector.getInt(1);
        indices = Containers.array(vector, 2, reusedIndices);
        if (n < 0 || indices.numElements() != values.numElements()) {
          throw corrupt(indices.numElements() + " indices, " + values.numElements() + " values");
        }
      }
      return n;
    }

    @Override
    void copy(byte[] dst, int at) {
      if (dense) {
        doubles.array(values, n, dst, at);
        return;
      }
      int bytes = column.dtype().bytes();
      int count = values.numElements();
      if (converted.length < count * bytes) {
        converted = new byte[count * bytes];
      }
      doubles.array(values, count, converted, 0);
      Arrays.fill(dst, at, at + n * bytes, (byte) 0);
      for (int i = 0; i < count; i++) {
        int index = indices.getInt(i);
        if (index < 0 || index >= n) {
          throw corrupt("index " + index);
        }
        System.arraycopy(converted, i * bytes, dst, at + index * bytes, bytes);
      }
    }

    private TfosException corrupt(String what) {
      return position.error(
          ColumnError.CORRUPT_VALUE,
          column,
          "the sparse vector of size " + n + " has " + what,
          "Make the vector with org.apache.spark.ml.linalg.Vectors.");
    }
  }
}
