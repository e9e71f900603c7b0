/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Copies one nested value of numbers into its box. */
final class NestedCopy {
  private final Run run;
  private final Box box;
  private final int bytes;

  NestedCopy(PlannedColumn column, RowPosition position) {
    this.run = Run.of(column, position);
    this.box = new Box(column, position, run);
    this.bytes = column.dtype().bytes();
  }

  Box box() {
    return box;
  }

  /** Writes the whole box. */
  void copy(SpecializedGetters in, int ordinal, byte[] dst, int at) {
    copy(in, ordinal, 0, dst, at);
  }

  private void copy(SpecializedGetters in, int ordinal, int level, byte[] dst, int at) {
    int expected = box.expected(level);
    if (level == box.levels.length) {
      int n = run.open(in, ordinal);
      if (n != expected) {
        byte[] padding = box.padding(level, n);
        Constants.fill(dst, at + n * bytes, (expected - n) * bytes, padding);
      }
      run.copy(dst, at);
      return;
    }
    ArrayData array = Containers.array(in, ordinal, box.levels[level]);
    int n = array.numElements();
    int stride = box.strides[level] * bytes;
    if (n != expected) {
      byte[] padding = box.padding(level, n);
      Constants.fill(dst, at + n * stride, (expected - n) * stride, padding);
    }
    for (int i = 0; i < n; i++) {
      if (array.isNullAt(i)) {
        Constants.fill(dst, at + i * stride, stride, box.nullInside(level, i));
      } else {
        copy(array, i, level + 1, dst, at + i * stride);
      }
    }
  }
}
