/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/** Follows a column's path from a row, through structs, to its value. */
final class Cursor {
  private final int[] path;
  private final UnsafeRow[] structs;
  private final int last;

  Cursor(PlannedColumn column) {
    this.path = column.path();
    this.last = path.length - 1;
    this.structs = new UnsafeRow[last];
    for (int i = 0; i < last; i++) {
      structs[i] = new UnsafeRow(column.widths()[i]);
    }
  }

  /** The ordinal of the value within its container. */
  int ordinal() {
    return path[last];
  }

  /** What holds the value, or null when the value or a struct above it is null. */
  @Nullable SpecializedGetters container(InternalRow row) {
    SpecializedGetters in = row;
    for (int i = 0; i < last; i++) {
      if (in.isNullAt(path[i])) {
        return null;
      }
      in = Containers.struct(in, path[i], structs[i]);
    }
    return in.isNullAt(path[last]) ? null : in;
  }
}
