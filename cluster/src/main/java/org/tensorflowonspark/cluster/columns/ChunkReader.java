/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.DType;

/**
 * Copies picked rows of chunks into a batch. In the node, by its program's thread only; reused for
 * all batches.
 */
public final class ChunkReader {
  private final List<ColumnTarget> targets;
  private final int[][] rowShapes;
  private final byte[] @Nullable [] paddings;
  private final int fingerprint;

  /** Bytes of strings on their way from memory outside of the heap. */
  private byte[] lent = new byte[0];

  /**
   * @param targets as in the plan that makes the chunks, in the same order
   */
  public ChunkReader(List<ColumnTarget> targets) {
    this.targets = List.copyOf(targets);
    this.fingerprint = ColumnPlan.fingerprint(targets);
    this.rowShapes = new int[targets.size()][];
    this.paddings = new byte[targets.size()][];
    for (int i = 0; i < rowShapes.length; i++) {
      ColumnTarget target = targets.get(i);
      rowShapes[i] = Arrays.stream(target.rowShape()).mapToInt(d -> (int) d).toArray();
      String padding = target.padding();
      paddings[i] = padding == null ? null : Constants.parse(target.dtype(), padding);
    }
  }

  /**
   * Copies all columns of the picked rows.
   *
   * @throws TfosException for a chunk that another plan made
   */
  public void fill(RowPicks picks, RowSink sink) {
    for (int pick = 0; pick < picks.size(); pick++) {
      checkPlan(picks.chunk(pick));
    }
    for (int column = 0; column < rowShapes.length; column++) {
      long[] shape = shape(picks, column);
      if (targets.get(column).dtype() == DType.STRING) {
        strings(picks, column, shape, sink);
      } else if (targets.get(column).ragged()) {
        ragged(picks, column, shape, sink.numbers(column, shape));
      } else {
        fixed(picks, column, sink.numbers(column, shape));
      }
    }
  }

  private void checkPlan(Chunk chunk) {
    if (chunk.acceptedBy == this) {
      return;
    }
    boolean same = chunk.fingerprint() == fingerprint && chunk.columns() == rowShapes.length;
    for (int i = 0; same && i < rowShapes.length; i++) {
      ChunkColumn column = chunk.column(i);
      same = column.dtype() == targets.get(i).dtype() && Arrays.equals(column.dims(), rowShapes[i]);
    }
    if (!same) {
      throw new TfosException(
          ColumnError.PLAN_MISMATCH,
          chunk + " was made by another plan than that of " + targets,
          "Feed a program with the columns that it asked for.");
    }
    chunk.acceptedBy = this;
  }

  /** Batch dimension and row shape, where unknown the longest of the rows. */
  private long[] shape(RowPicks picks, int column) {
    int[] row = rowShapes[column];
    long[] shape = new long[row.length + 1];
    shape[0] = picks.rows();
    for (int i = 0; i < row.length; i++) {
      shape[i + 1] = Math.max(0, row[i]);
    }
    if (targets.get(column).ragged()) {
      longest(picks, column, shape);
    }
    long bytes = Math.max(1, targets.get(column).dtype().bytes());
    for (long dim : shape) {
      // Each factor is an int, and so is the product up to here.
      bytes *= dim;
      if (bytes > Integer.MAX_VALUE) {
        throw new TfosException(
            ColumnError.ROW_TOO_LARGE,
            "The batch for "
                + targets.get(column)
                + " has shape "
                + Arrays.toString(shape)
                + ", more than 2 GiB",
            "Make batches smaller, or split or filter the longest rows.");
      }
    }
    return shape;
  }

  private void longest(RowPicks picks, int column, long[] shape) {
    int[] row = rowShapes[column];
    for (int pick = 0; pick < picks.size(); pick++) {
      ByteBuffer memory = picks.chunk(pick).memory();
      int at = dimsAt(picks.chunk(pick).column(column), picks.from(pick));
      for (int n = picks.count(pick); n > 0; n--) {
        for (int i = 0; i < row.length; i++) {
          if (row[i] < 0) {
            shape[i + 1] = Math.max(shape[i + 1], memory.getInt(at));
            at += Integer.BYTES;
          }
        }
      }
    }
  }

  private static int dimsAt(ChunkColumn column, int row) {
    return column.offsets()[ChunkColumn.ROW_DIMS] + row * column.unknownDims() * Integer.BYTES;
  }

  private static void fixed(RowPicks picks, int column, ByteBuffer target) {
    int at = 0;
    for (int pick = 0; pick < picks.size(); pick++) {
      Chunk chunk = picks.chunk(pick);
      ChunkColumn source = chunk.column(column);
      int rowBytes = source.rowBytes();
      int from = source.offsets()[ChunkColumn.DATA] + picks.from(pick) * rowBytes;
      int length = picks.count(pick) * rowBytes;
      target.put(at, chunk.memory(), from, length);
      at += length;
    }
  }

  private void ragged(RowPicks picks, int column, long[] shape, ByteBuffer target) {
    int bytes = targets.get(column).dtype().bytes();
    BoxCopy box = new BoxCopy(shape, bytes, padding(column));
    box.padAll(target, picks.rows());
    int at = 0;
    for (int pick = 0; pick < picks.size(); pick++) {
      Chunk chunk = picks.chunk(pick);
      ByteBuffer memory = chunk.memory();
      ChunkColumn source = chunk.column(column);
      for (int n = 0; n < picks.count(pick); n++) {
        int row = picks.from(pick) + n;
        box.open(memory, dimsAt(source, row), rowShapes[column]);
        int first = memory.getInt(source.offsets()[ChunkColumn.ROW_OFFSETS] + row * Integer.BYTES);
        box.copy(memory, source.offsets()[ChunkColumn.DATA] + first * bytes, target, at);
        at += box.bytes();
      }
    }
  }

  private byte[] padding(int column) {
    byte[] padding = paddings[column];
    if (padding == null) {
      throw new TfosException(
          ColumnError.RAGGED_WITHOUT_PADDING,
          "The row shape of " + targets.get(column) + " is not known and there is no padding",
          "Give the row shape, or a padding value to fill short rows up with.");
    }
    return padding;
  }

  private void strings(RowPicks picks, int column, long[] shape, RowSink sink) {
    sink.strings(column, shape);
    boolean ragged = targets.get(column).ragged();
    StringBoxes boxes = ragged ? new StringBoxes(shape, padding(column), column, sink) : null;
    int element = 0;
    for (int pick = 0; pick < picks.size(); pick++) {
      Chunk chunk = picks.chunk(pick);
      ByteBuffer memory = chunk.memory();
      ChunkColumn source = chunk.column(column);
      int ends = source.offsets()[ChunkColumn.ELEMENT_OFFSETS];
      int rowStarts = source.offsets()[ChunkColumn.ROW_OFFSETS];
      int from = picks.from(pick);
      int to = from + picks.count(pick);
      int first =
          ragged ? memory.getInt(rowStarts + from * Integer.BYTES) : from * source.elements();
      int last = ragged ? memory.getInt(rowStarts + to * Integer.BYTES) : to * source.elements();
      int begin = memory.getInt(ends + first * Integer.BYTES);
      int length = memory.getInt(ends + last * Integer.BYTES) - begin;
      int data = source.offsets()[ChunkColumn.DATA] + begin;
      byte[] bytes = bytes(memory, data, length);
      int shift = (memory.hasArray() ? memory.arrayOffset() + data : 0) - begin;
      if (boxes != null) {
        for (int row = from; row < to; row++) {
          int start = memory.getInt(rowStarts + row * Integer.BYTES);
          boxes.row(memory, dimsAt(source, row), rowShapes[column], ends, start, bytes, shift);
        }
        continue;
      }
      int offset = begin;
      for (int i = first; i < last; i++) {
        int end = memory.getInt(ends + (i + 1) * Integer.BYTES);
        sink.string(column, element++, bytes, offset + shift, end - offset);
        offset = end;
      }
    }
  }

  /** The array that has these bytes: the chunk's own, or a copy from the beginning of another. */
  private byte[] bytes(ByteBuffer memory, int from, int length) {
    byte[] own = Chunk.array(memory);
    if (own != null) {
      return own;
    }
    if (lent.length < length) {
      lent = new byte[Math.max(length, lent.length * 2)];
    }
    memory.get(from, lent, 0, length);
    return lent;
  }
}
