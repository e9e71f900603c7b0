/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * The dense row-major box that one row of a column becomes: the plan's dimensions, or where those
 * are unknown the longest that the row has.
 */
final class Box {
  final PlannedColumn column;
  final RowPosition position;

  /** Sizes by dimension, and elements from one index of it to the next. Read only. */
  final int[] dims;

  final int[] strides;
  int elements;

  /** One reused array for each array level around the innermost run. */
  final UnsafeArrayData[] levels;

  private final @Nullable Run run;

  /**
   * @param run what lies inside of the outer levels, or null for a single string
   */
  Box(PlannedColumn column, RowPosition position, @Nullable Run run) {
    this.column = column;
    this.position = position;
    this.run = run;
    this.dims = column.dims().clone();
    this.strides = new int[dims.length];
    this.levels = new UnsafeArrayData[column.outerDepth()];
    Arrays.setAll(levels, i -> new UnsafeArrayData());
    if (!column.ragged()) {
      layOut();
    }
  }

  /** Sets the unknown dimensions to the longest there are. */
  void measure(SpecializedGetters in, int ordinal) {
    forget();
    measure(in, ordinal, 0);
    layOut();
  }

  /** Sets the unknown dimensions to 0: the box of a null. */
  void measureNothing() {
    forget();
    layOut();
  }

  private void forget() {
    for (int i = 0; i < dims.length; i++) {
      dims[i] = Math.max(column.dims()[i], 0);
    }
  }

  private void measure(SpecializedGetters in, int ordinal, int level) {
    if (level == levels.length) {
      if (run != null) {
        grow(level, run.open(in, ordinal));
      }
      return;
    }
    ArrayData array = Containers.array(in, ordinal, levels[level]);
    int n = array.numElements();
    grow(level, n);
    if (level + 1 == dims.length) {
      return;
    }
    for (int i = 0; i < n; i++) {
      if (!array.isNullAt(i)) {
        measure(array, i, level + 1);
      }
    }
  }

  private void grow(int level, int n) {
    if (level < dims.length && column.dims()[level] < 0) {
      dims[level] = Math.max(dims[level], n);
    }
  }

  private void layOut() {
    long stride = 1;
    int bytes = Math.max(4, column.dtype().bytes());
    for (int i = dims.length - 1; i >= 0; i--) {
      strides[i] = (int) stride;
      stride *= dims[i];
      if (stride * bytes > Growing.MAX) {
        throw position.error(
            ColumnError.ROW_TOO_LARGE,
            column,
            "the row takes shape " + Arrays.toString(dims) + ", more than 2 GiB",
            "Split or filter such rows.");
      }
    }
    elements = (int) stride;
  }

  /** How many elements the box has at a level. */
  int expected(int level) {
    return level < dims.length ? dims[level] : 1;
  }

  /** The padding for a stretch that is shorter than the box; an error when it cannot be padded. */
  byte[] padding(int level, int n) {
    byte[] padding = column.padding();
    if (n > expected(level) || padding == null) {
      throw wrongLength(level, n);
    }
    return padding;
  }

  /** What fills the place of a null in an array: an inner array is empty where lengths are free. */
  byte[] nullInside(int level, int index) {
    byte[] value = column.nullValue();
    boolean element = column.text() && level + 1 == levels.length;
    if (value == null) {
      throw position.nullValue(
          column, (element ? "element " : "the inner array ") + index + " is null");
    }
    byte[] padding = column.padding();
    return column.ragged() && padding != null && !element ? padding : value;
  }

  private TfosException wrongLength(int level, int n) {
    boolean tooShort = n < expected(level);
    return position.error(
        ColumnError.WRONG_LENGTH,
        column,
        n
            + " values"
            + (dims.length > 1 ? " in dimension " + level : "")
            + " where the tensor takes "
            + expected(level),
        tooShort
            ? "Correct the row shape, or give the column a padding value."
            : "Correct the row shape, or shorten the values in Spark.");
  }
}
