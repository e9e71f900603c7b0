/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.OptionTable;
import org.tensorflowonspark.base.TfosException;

/** Where a dotted name leads in a schema: ordinals and the widths of the structs they lead to. */
// Package-private and read only; never compared.
@SuppressWarnings("ArrayRecordComponent")
record ColumnPath(int[] path, int[] widths, DataType type) {

  /** A column whose own name has dots comes before the field of a struct. */
  static ColumnPath find(StructType schema, ColumnTarget target) {
    ColumnPath found = find(schema, target.column());
    if (found == null) {
      List<String> known = known(schema, target.column());
      String near = OptionTable.nearest(target.column(), known);
      throw new TfosException(
          ColumnError.UNKNOWN_COLUMN,
          "There is no column '" + target.column() + "' for tensor '" + target.tensor() + "'",
          near == null
              ? "Columns are " + String.join(", ", known) + "."
              : "Did you mean '" + near + "'?");
    }
    return found;
  }

  private static @Nullable ColumnPath find(StructType schema, String name) {
    String[] fields = schema.fieldNames();
    for (int i = 0; i < fields.length; i++) {
      DataType type = schema.apply(i).dataType();
      if (name.equals(fields[i])) {
        return new ColumnPath(new int[] {i}, new int[] {0}, type);
      }
    }
    for (int i = 0; i < fields.length; i++) {
      if (name.startsWith(fields[i] + ".") && schema.apply(i).dataType() instanceof StructType s) {
        ColumnPath inner = find(s, name.substring(fields[i].length() + 1));
        if (inner != null) {
          return new ColumnPath(
              prepend(i, inner.path), prepend(s.length(), inner.widths), inner.type);
        }
      }
    }
    return null;
  }

  private static int[] prepend(int first, int[] rest) {
    int[] all = new int[rest.length + 1];
    all[0] = first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }

  /** The fields beside the missing one: of the struct when the name got that far. */
  private static List<String> known(StructType schema, String name) {
    for (int i = 0; i < schema.length(); i++) {
      String field = schema.fieldNames()[i];
      if (name.startsWith(field + ".") && schema.apply(i).dataType() instanceof StructType s) {
        return Arrays.stream(s.fieldNames()).map(f -> field + "." + f).toList();
      }
    }
    return List.of(schema.fieldNames());
  }
}
