/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.tensorflowonspark.base.TfosException;

/** Where the feed task is, for messages: one object that the builder moves along. */
final class RowPosition {
  int partition;
  long row;

  TfosException error(ColumnError code, PlannedColumn column, String what, String remedy) {
    return new TfosException(
        code, column.label() + ", row " + row + " of partition " + partition + ": " + what, remedy);
  }

  TfosException nullValue(PlannedColumn column, String where) {
    return error(
        ColumnError.NULL_VALUE,
        column,
        where,
        "Drop or fill nulls in Spark, or give the column a value that replaces them.");
  }
}
