/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/**
 * A column of numbers with rows of one size, written where it stays: into the chunk's own memory.
 */
final class FixedColumn {
  private final PlannedColumn column;
  private final RowPosition position;
  private final Cursor cursor;
  private final NestedCopy copy;
  private final int rowBytes;

  FixedColumn(PlannedColumn column, RowPosition position) {
    this.column = column;
    this.position = position;
    this.cursor = new Cursor(column);
    this.copy = new NestedCopy(column, position);
    this.rowBytes = Math.toIntExact(column.fixedRowBytes());
  }

  int rowBytes() {
    return rowBytes;
  }

  void append(InternalRow row, byte[] dst, int at) {
    SpecializedGetters in = cursor.container(row);
    if (in != null) {
      copy.copy(in, cursor.ordinal(), dst, at);
      return;
    }
    byte[] value = column.nullValue();
    if (value == null) {
      throw position.nullValue(column, "the value is null");
    }
    Constants.fill(dst, at, rowBytes, value);
  }
}
