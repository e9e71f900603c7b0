/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.nio.ByteBuffer;
import org.tensorflowonspark.base.TfosException;

/** Holds every number in a chunk from elsewhere against the memory there is; allocates nothing. */
final class ChunkCheck {
  private ChunkCheck() {}

  static void check(ByteBuffer memory, int rows, ChunkColumn[] columns) {
    int head = Chunk.HEAD;
    for (ChunkColumn column : columns) {
      head += ChunkColumn.size(column.dims().length);
    }
    for (int i = 0; i < columns.length; i++) {
      for (int part = 0; part < ChunkColumn.PARTS; part++) {
        within(memory, head, columns[i], i, part);
      }
      elements(memory, rows, columns[i], i);
    }
  }

  private static void within(ByteBuffer memory, int head, ChunkColumn column, int i, int part) {
    int offset = column.offsets()[part];
    int length = column.lengths()[part];
    boolean absent = offset == 0 && length == 0;
    if (!absent
        && (offset < head
            || offset % 8 != 0
            || length < 0
            || length > memory.capacity() - (long) offset)) {
      throw bad(i, "part " + part + " of " + length + " bytes at " + offset);
    }
  }

  private static void elements(ByteBuffer memory, int rows, ChunkColumn column, int i) {
    long elements;
    if (column.ragged()) {
      length(column, i, ChunkColumn.ROW_DIMS, (long) rows * column.unknownDims() * Integer.BYTES);
      length(column, i, ChunkColumn.ROW_OFFSETS, (rows + 1L) * Integer.BYTES);
      elements = rows(memory, rows, column, i);
    } else {
      length(column, i, ChunkColumn.ROW_DIMS, 0);
      length(column, i, ChunkColumn.ROW_OFFSETS, 0);
      elements = (long) rows * column.elements();
    }
    if (column.text()) {
      length(column, i, ChunkColumn.ELEMENT_OFFSETS, (elements + 1) * Integer.BYTES);
      strings(memory, (int) elements, column, i);
    } else {
      length(column, i, ChunkColumn.ELEMENT_OFFSETS, 0);
      length(column, i, ChunkColumn.DATA, elements * column.dtype().bytes());
    }
  }

  /** Each row begins where the one before ends, by its dimensions. */
  private static long rows(ByteBuffer memory, int rows, ChunkColumn column, int i) {
    int at = column.offsets()[ChunkColumn.ROW_OFFSETS];
    int dims = column.offsets()[ChunkColumn.ROW_DIMS];
    long expected = 0;
    for (int row = 0; row <= rows; row++) {
      if (memory.getInt(at + row * Integer.BYTES) != expected) {
        throw bad(i, "row " + row + " begins at " + memory.getInt(at + row * Integer.BYTES));
      }
      if (row == rows) {
        break;
      }
      long elements = 1;
      for (int known : column.dims()) {
        int dim = known;
        if (known < 0) {
          dim = memory.getInt(dims);
          dims += Integer.BYTES;
        }
        if (dim < 0) {
          throw bad(i, "row " + row + " has dimension " + dim);
        }
        elements = Math.min(elements * dim, Integer.MAX_VALUE);
      }
      expected += elements;
      if (expected >= Integer.MAX_VALUE) {
        throw bad(i, "row " + row + " is too large");
      }
    }
    return expected;
  }

  private static void strings(ByteBuffer memory, int elements, ChunkColumn column, int i) {
    int at = column.offsets()[ChunkColumn.ELEMENT_OFFSETS];
    int last = 0;
    for (int element = 0; element <= elements; element++) {
      int offset = memory.getInt(at + element * Integer.BYTES);
      if (offset < last || (element == 0 && offset != 0)) {
        throw bad(i, "string " + element + " begins at " + offset);
      }
      last = offset;
    }
    length(column, i, ChunkColumn.DATA, last);
  }

  private static void length(ChunkColumn column, int i, int part, long expected) {
    if (column.lengths()[part] != expected) {
      throw bad(i, "part " + part + " has " + column.lengths()[part] + " bytes, not " + expected);
    }
  }

  private static TfosException bad(int column, String what) {
    return Chunk.corrupt("in column " + column + " " + what);
  }
}
