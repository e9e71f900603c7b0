/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.tensorflowonspark.base.TfosException;

/**
 * A column whose rows differ in size, gathered in four growing parts: the unknown dimensions of
 * each row and where each row begins (only when ragged), where each string begins (only of
 * strings), and the data.
 */
abstract class VariableColumn {
  final PlannedColumn column;
  final RowPosition position;
  final Growing rowDims = new Growing();
  final Growing rowOffsets = new Growing();
  final Growing elementOffsets = new Growing();
  final Growing data = new Growing();
  private final Cursor cursor;
  private int rows;
  private int elements;

  VariableColumn(PlannedColumn column, RowPosition position) {
    this.column = column;
    this.position = position;
    this.cursor = new Cursor(column);
    clear();
  }

  static VariableColumn of(PlannedColumn column, RowPosition position) {
    return column.text() ? new TextColumn(column, position) : new RaggedColumn(column, position);
  }

  /** The box of this column's rows. */
  abstract Box box();

  /** Appends the measured box of a value to the data. */
  abstract void write(SpecializedGetters in, int ordinal);

  /** Appends a box filled with one element. */
  abstract void fill(byte[] element);

  final void append(InternalRow row) {
    SpecializedGetters in = cursor.container(row);
    Box box = box();
    if (in != null) {
      if (column.ragged()) {
        box.measure(in, cursor.ordinal());
      }
      write(in, cursor.ordinal());
    } else {
      byte[] value = column.nullValue();
      if (value == null) {
        throw position.nullValue(column, "the value is null");
      }
      if (column.ragged()) {
        box.measureNothing();
      }
      fill(value);
    }
    if (column.ragged()) {
      int[] dims = column.dims();
      room(rowDims, (long) dims.length * Integer.BYTES);
      for (int i = 0; i < dims.length; i++) {
        if (dims[i] < 0) {
          rowDims.putInt(box.dims[i]);
        }
      }
      room(rowOffsets, Integer.BYTES);
      rowOffsets.putInt(elements + box.elements);
    }
    elements += box.elements;
    rows++;
  }

  /** Makes room or fails for this row. */
  final void room(Growing part, long more) {
    if (!part.reserve(more)) {
      throw tooLarge();
    }
  }

  private TfosException tooLarge() {
    return position.error(
        ColumnError.ROW_TOO_LARGE,
        column,
        "the rows of the chunk come to more than 2 GiB",
        "Make chunks smaller or split such rows.");
  }

  /** Takes back what a failed append left: all beyond the first rows. */
  final void truncate(int keep) {
    if (rows > keep + 1 || rows < keep) {
      throw new IllegalStateException(rows + " rows, not " + keep);
    }
    int unknown = unknownDims();
    if (column.ragged()) {
      rowDims.size(keep * unknown * Integer.BYTES);
      rowOffsets.size((keep + 1) * Integer.BYTES);
      elements = rowOffsets.getInt(keep);
    } else {
      elements = keep * column.elements();
    }
    if (column.text()) {
      elementOffsets.size((elements + 1) * Integer.BYTES);
      data.size(elementOffsets.getInt(elements));
    } else {
      data.size(elements * column.dtype().bytes());
    }
    rows = keep;
  }

  private int unknownDims() {
    int unknown = 0;
    for (int dim : column.dims()) {
      unknown += dim < 0 ? 1 : 0;
    }
    return unknown;
  }

  final void clear() {
    rows = 0;
    elements = 0;
    rowDims.size(0);
    rowOffsets.size(0);
    elementOffsets.size(0);
    data.size(0);
    if (column.ragged()) {
      rowOffsets.putInt(0);
    }
    if (column.text()) {
      elementOffsets.putInt(0);
    }
  }

  /** The four parts in the order of the chunk. */
  final Growing[] parts() {
    return new Growing[] {rowDims, rowOffsets, elementOffsets, data};
  }

  final long bytes() {
    return (long) rowDims.size() + rowOffsets.size() + elementOffsets.size() + data.size();
  }
}
