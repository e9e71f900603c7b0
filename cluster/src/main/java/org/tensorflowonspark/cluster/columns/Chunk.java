/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * Some rows of a partition, by columns, in one piece of memory that is at the same time the form in
 * which they travel and lie on disk. Immutable and safe on any thread until it is released.
 *
 * <p>Little endian. Head: {@code u32 'TFCC', u16 version 1, u16 columns, i32 bytes in all, i32
 * rows, i32 partition, i32 fingerprint of the plan, i64 task attempt, i64 sequence}, then one entry
 * for each column, see {@link ChunkColumn}. There is no checksum: a medium that can change bytes
 * adds its own.
 */
public final class Chunk {
  static final int MAGIC = 'T' | 'F' << 8 | 'C' << 16 | 'C' << 24;
  static final int VERSION = 1;
  static final int HEAD = 40;

  private final ByteBuffer memory;
  private final ChunkColumn[] columns;
  private final int rows;
  private final int partition;
  private final int fingerprint;
  private final long attempt;
  private final long sequence;
  private final @Nullable Runnable giveBack;
  private boolean released;

  /** The reader that last found its plan to be this chunk's: checked once and not for every row. */
  @Nullable ChunkReader acceptedBy;

  private Chunk(ByteBuffer memory, ChunkColumn[] columns, @Nullable Runnable giveBack) {
    this.memory = memory;
    this.columns = columns;
    this.rows = memory.getInt(12);
    this.partition = memory.getInt(16);
    this.fingerprint = memory.getInt(20);
    this.attempt = memory.getLong(24);
    this.sequence = memory.getLong(32);
    this.giveBack = giveBack;
  }

  /**
   * The chunk that lies between a buffer's position and limit. Shares the buffer's memory, which
   * must not change any more. Everything that reading relies on is checked first, against the size
   * of the buffer.
   *
   * @throws TfosException when these bytes are not a whole chunk
   */
  public static Chunk fromByteBuffer(ByteBuffer buffer) {
    ByteBuffer memory = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    Chunk chunk = read(memory, null);
    ChunkCheck.check(memory, chunk.rows, chunk.columns);
    return chunk;
  }

  /** Reads the head only. */
  static Chunk read(ByteBuffer memory, @Nullable Runnable giveBack) {
    int size = memory.capacity();
    if (size < HEAD || memory.getInt(0) != MAGIC) {
      throw corrupt("it does not begin as one");
    }
    if (memory.getShort(4) != VERSION) {
      throw corrupt("it has version " + memory.getShort(4));
    }
    if (memory.getInt(8) != size) {
      throw corrupt("it has " + memory.getInt(8) + " bytes of which " + size + " are here");
    }
    int count = memory.getShort(6) & 0xFFFF;
    if (memory.getInt(12) < 0 || count > (size - HEAD) / ChunkColumn.size(0)) {
      throw corrupt("it has " + memory.getInt(12) + " rows and " + count + " columns");
    }
    ByteBuffer entries = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(HEAD);
    ChunkColumn[] columns = new ChunkColumn[count];
    for (int i = 0; i < count; i++) {
      columns[i] = ChunkColumn.read(entries);
    }
    return new Chunk(memory, columns, giveBack);
  }

  static TfosException corrupt(String what) {
    return new TfosException(
        ColumnError.CORRUPT_CHUNK,
        "These bytes are not a chunk of columns: " + what,
        "They were cut or changed on their way; run the step again.");
  }

  /** Number of rows. */
  public int rows() {
    return rows;
  }

  /** Number of columns. */
  public int columns() {
    return columns.length;
  }

  /** Bytes that the chunk keeps occupied and that {@link #toByteBuffer} has. */
  public long bytes() {
    return memory.capacity();
  }

  /** The partition that the rows come from. */
  public int partition() {
    return partition;
  }

  /** The task attempt that made the chunk. */
  public long attempt() {
    return attempt;
  }

  /** Number of the chunk within its attempt, from 0. */
  public long sequence() {
    return sequence;
  }

  /** {@link ColumnPlan#fingerprint} of the plan that made it. */
  public int fingerprint() {
    return fingerprint;
  }

  /** The chunk's flat form: a read-only view, not a copy. */
  public ByteBuffer toByteBuffer() {
    return memory().asReadOnlyBuffer().clear().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Gives the chunk's memory back to where the builder took it from. To be called at most by the
   * last who holds the chunk, after which nobody reads it nor a buffer of it; leaving it out only
   * costs speed.
   */
  public void release() {
    if (!released) {
      released = true;
      if (giveBack != null) {
        giveBack.run();
      }
    }
  }

  /** The array behind a buffer, if it has one that may be seen; to be used with its offset. */
  @SuppressWarnings("ByteBufferBackingArray")
  static byte @Nullable [] array(ByteBuffer memory) {
    return memory.hasArray() ? memory.array() : null;
  }

  ChunkColumn column(int index) {
    return columns[index];
  }

  /** The memory to read from by absolute positions. */
  ByteBuffer memory() {
    if (released) {
      throw new IllegalStateException("The chunk is released");
    }
    return memory;
  }

  @Override
  public String toString() {
    return String.format(
        "Chunk[partition %d, attempt %d, sequence %d: %d rows, %d columns, %d bytes]",
        partition, attempt, sequence, rows, columns.length, bytes());
  }
}
