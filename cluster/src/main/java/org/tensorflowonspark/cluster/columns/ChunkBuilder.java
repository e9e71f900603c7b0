/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * Packs rows of one partition into chunks. On the executor, by the feed task's thread only; reused
 * for all chunks of the task.
 *
 * <p>Columns of fixed size are written straight into the memory that becomes the chunk; the others
 * are gathered beside it and copied in by {@link #build}. A row that fails leaves the builder as it
 * was, so that the caller may go on without it.
 */
public final class ChunkBuilder {
  private final List<ColumnTarget> targets;
  private final int fingerprint;
  private final int capacity;
  private final long maxBytes;
  private final ChunkMemory memory;
  private final RowPosition position = new RowPosition();

  /** By column; a column is in one of the two. */
  private final @Nullable FixedColumn[] fixed;

  private final @Nullable VariableColumn[] variable;

  /** Where each fixed column begins when the chunk is full. */
  private final int[] regions;

  private final int headBytes;
  private final int fixedBytes;
  private byte[] array = new byte[0];
  private long attempt;
  private long sequence;
  private int rows;

  /** What the columns of variable size took in the last chunk: room to leave in the next. */
  private int tail;

  private ChunkBuilder(ColumnPlan plan, int rows, long maxBytes, ChunkMemory memory) {
    this.targets = plan.targets();
    this.fingerprint = plan.fingerprint();
    this.capacity = rows;
    this.maxBytes = maxBytes;
    this.memory = memory;
    int n = plan.columns().size();
    this.fixed = new FixedColumn[n];
    this.variable = new VariableColumn[n];
    this.regions = new int[n];
    int head = Chunk.HEAD;
    for (ColumnTarget target : targets) {
      head += ChunkColumn.size(target.rowShape().length);
    }
    this.headBytes = align(head);
    long at = headBytes;
    for (int i = 0; i < n; i++) {
      PlannedColumn column = plan.columns().get(i);
      if (column.fixedRowBytes() > 0) {
        fixed[i] = new FixedColumn(column, position);
        regions[i] = (int) at;
        at = alignLong(at + column.fixedRowBytes() * rows);
        if (at > Growing.MAX) {
          throw new TfosException(
              ColumnError.ROW_TOO_LARGE,
              rows + " rows of " + column.fixedRowBytes() + " bytes come to more than 2 GiB",
              "Make chunks of fewer rows.");
        }
      } else {
        variable[i] = VariableColumn.of(column, position);
      }
    }
    this.fixedBytes = (int) at;
  }

  /**
   * A builder for any partitions, see {@link #source}.
   *
   * @param rows the most rows of a chunk, see {@link ColumnPlan#rowsFor}
   * @param bytes a chunk of that many bytes is full whatever its rows; it may pass it by one row
   * @param memory where chunks get their memory
   */
  public static ChunkBuilder of(ColumnPlan plan, int rows, long bytes, ChunkMemory memory) {
    if (rows < 1 || bytes < 1) {
      throw new IllegalArgumentException(rows + " rows, " + bytes + " bytes");
    }
    return new ChunkBuilder(plan, rows, bytes, memory);
  }

  /**
   * Says where the next rows come from, for the chunks' heads and for messages; chunks count from 0
   * again and what is open is dropped.
   *
   * @param firstRow number within the partition of the row that comes next
   */
  public ChunkBuilder source(int partition, long taskAttempt, long firstRow) {
    position.partition = partition;
    position.row = firstRow;
    attempt = taskAttempt;
    sequence = 0;
    clear();
    return this;
  }

  /**
   * Appends one row; keeps no reference to it.
   *
   * @throws TfosException for a value that does not fit, naming column and row; the row counts, the
   *     builder is otherwise unchanged
   * @throws IllegalStateException when it {@link #isFull} already
   */
  public void append(InternalRow row) {
    if (rows == 0 && array.length == 0) {
      array = memory.take((int) Math.min(Growing.MAX, (long) fixedBytes + tail));
    } else if (rows == capacity) {
      throw new IllegalStateException("The chunk is full");
    }
    boolean done = false;
    try {
      for (int i = 0; i < fixed.length; i++) {
        FixedColumn column = fixed[i];
        if (column != null) {
          column.append(row, array, regions[i] + rows * column.rowBytes());
        } else {
          variableAt(i).append(row);
        }
      }
      done = true;
    } finally {
      position.row++;
      if (!done) {
        takeBack();
      }
    }
    rows++;
  }

  private void takeBack() {
    for (VariableColumn column : variable) {
      if (column != null) {
        column.truncate(rows);
      }
    }
  }

  private VariableColumn variableAt(int i) {
    VariableColumn column = variable[i];
    if (column == null) {
      throw new IllegalStateException("column " + i);
    }
    return column;
  }

  /** Rows in the open chunk. */
  public int rows() {
    return rows;
  }

  /** Bytes of the open chunk, nearly. */
  public long bytes() {
    long bytes = headBytes;
    for (int i = 0; i < fixed.length; i++) {
      FixedColumn column = fixed[i];
      bytes += column != null ? (long) column.rowBytes() * rows : variableAt(i).bytes();
    }
    return bytes;
  }

  /** Whether {@link #build} has to come before the next {@link #append}, or should. */
  public boolean isFull() {
    return rows == capacity || bytes() >= maxBytes;
  }

  /** Makes the open rows a chunk, maybe an empty one, and opens the next. */
  public Chunk build() {
    int[][] offsets = new int[fixed.length][ChunkColumn.PARTS];
    int[][] lengths = new int[fixed.length][ChunkColumn.PARTS];
    long at = headBytes;
    for (int i = 0; i < fixed.length; i++) {
      FixedColumn column = fixed[i];
      if (column != null) {
        offsets[i][ChunkColumn.DATA] = (int) at;
        lengths[i][ChunkColumn.DATA] = column.rowBytes() * rows;
        at = alignLong(at + lengths[i][ChunkColumn.DATA]);
      }
    }
    int fixedEnd = (int) at;
    for (int i = 0; i < fixed.length; i++) {
      if (fixed[i] == null) {
        Growing[] parts = variableAt(i).parts();
        for (int part = 0; part < parts.length; part++) {
          offsets[i][part] = parts[part].size() == 0 ? 0 : (int) Math.min(at, Growing.MAX);
          lengths[i][part] = parts[part].size();
          at = alignLong(at + parts[part].size());
        }
      }
    }
    if (at > Growing.MAX) {
      throw new TfosException(
          ColumnError.ROW_TOO_LARGE,
          rows + " rows of partition " + position.partition + " come to " + at + " bytes",
          "Make chunks of fewer rows.");
    }
    byte[] target = target((int) at);
    copyFixed(target, offsets, lengths);
    for (int i = 0; i < fixed.length; i++) {
      if (fixed[i] == null) {
        copyVariable(variableAt(i).parts(), target, offsets[i]);
      }
    }
    tail = (int) at - fixedEnd;
    ByteBuffer out = ByteBuffer.wrap(target, 0, (int) at).slice().order(ByteOrder.LITTLE_ENDIAN);
    writeHead(out, offsets, lengths);
    clearGap(target, out.position());
    Chunk chunk = Chunk.read(out, () -> memory.give(target));
    if (target == array) {
      array = new byte[0];
    }
    sequence++;
    clear();
    return chunk;
  }

  /** The array of the finished chunk: the one at hand unless too small, or largely empty. */
  private byte[] target(int total) {
    boolean fits = total <= array.length && total > array.length / 2;
    return fits ? array : memory.take(total);
  }

  /** Closes the gaps between columns that have fewer rows than there was room for. */
  private void copyFixed(byte[] target, int[][] offsets, int[][] lengths) {
    if (rows == 0) {
      return;
    }
    for (int i = 0; i < fixed.length; i++) {
      int to = offsets[i][ChunkColumn.DATA];
      if (fixed[i] != null && (target != array || regions[i] != to)) {
        System.arraycopy(array, regions[i], target, to, lengths[i][ChunkColumn.DATA]);
      }
      if (fixed[i] != null) {
        clearGap(target, to + lengths[i][ChunkColumn.DATA]);
      }
    }
  }

  private static void copyVariable(Growing[] parts, byte[] target, int[] offsets) {
    for (int part = 0; part < parts.length; part++) {
      int size = parts[part].size();
      if (size > 0) {
        System.arraycopy(parts[part].memory(), 0, target, offsets[part], size);
        clearGap(target, offsets[part] + size);
      }
    }
  }

  private void writeHead(ByteBuffer out, int[][] offsets, int[][] lengths) {
    out.putInt(Chunk.MAGIC).putShort((short) Chunk.VERSION).putShort((short) fixed.length);
    out.putInt(out.capacity()).putInt(rows).putInt(position.partition).putInt(fingerprint);
    out.putLong(attempt).putLong(sequence);
    for (int i = 0; i < fixed.length; i++) {
      ChunkColumn.write(out, targets.get(i), offsets[i], lengths[i]);
    }
  }

  private void clear() {
    rows = 0;
    for (VariableColumn column : variable) {
      if (column != null) {
        column.clear();
      }
    }
  }

  /** Memory is reused: what lies between the parts would otherwise be another chunk's. */
  private static void clearGap(byte[] target, int from) {
    Arrays.fill(target, from, align(from), (byte) 0);
  }

  private static int align(int offset) {
    return (offset + 7) & ~7;
  }

  private static long alignLong(long offset) {
    return (offset + 7) & ~7L;
  }
}
