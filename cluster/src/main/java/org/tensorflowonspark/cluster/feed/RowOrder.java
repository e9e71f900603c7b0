/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.columns.Chunk;
import org.tensorflowonspark.cluster.columns.RowPicks;

/** Picks the rows of each next batch from the chunks of an epoch. Used by the program's thread. */
abstract class RowOrder {
  final ChunkSource source;

  RowOrder(ChunkSource source) {
    this.source = source;
  }

  /** Adds up to {@code count} rows, fewer only at the end of the epoch. */
  abstract void pick(RowPicks picks, int count) throws InterruptedException;

  /** Whether there may be more rows. */
  abstract boolean maybeMore();

  /** The picks have been copied: chunks that were read to their end may give memory back. */
  void copied() {}

  static RowOrder sequential(ChunkSource source) {
    return new Sequential(source);
  }

  static RowOrder shuffled(ChunkSource source, Random random, int window) {
    return new Shuffled(source, random, window);
  }

  private static final class Sequential extends RowOrder {
    private final List<Chunk> spent = new ArrayList<>();
    private @Nullable Chunk chunk;
    private int row;

    Sequential(ChunkSource source) {
      super(source);
    }

    @Override
    void pick(RowPicks picks, int count) throws InterruptedException {
      int left = count;
      while (left > 0) {
        Chunk current = chunk;
        if (current == null) {
          current = source.next();
          if (current == null) {
            return;
          }
          chunk = current;
          row = 0;
        }
        int take = Math.min(left, current.rows() - row);
        picks.add(current, row, take);
        row += take;
        left -= take;
        if (row == current.rows()) {
          spent.add(current);
          chunk = null;
        }
      }
    }

    @Override
    boolean maybeMore() {
      return chunk != null || source.maybeMore();
    }

    @Override
    void copied() {
      if (source.isReadOnce()) {
        spent.forEach(Chunk::release);
      }
      spent.clear();
    }
  }

  /** Draws each row from a window that is refilled chunk by chunk. */
  private static final class Shuffled extends RowOrder {
    private final Random random;
    private final int window;
    private Chunk[] chunks = new Chunk[1024];
    private int[] rows = new int[1024];
    private int size;
    private boolean exhausted;

    Shuffled(ChunkSource source, Random random, int window) {
      super(source);
      this.random = random;
      this.window = window;
    }

    @Override
    void pick(RowPicks picks, int count) throws InterruptedException {
      for (int i = 0; i < count; i++) {
        refill();
        if (size == 0) {
          return;
        }
        int drawn = random.nextInt(size);
        picks.add(chunks[drawn], rows[drawn], 1);
        size--;
        chunks[drawn] = chunks[size];
        rows[drawn] = rows[size];
      }
    }

    private void refill() throws InterruptedException {
      while (size < window && !exhausted) {
        Chunk chunk = source.next();
        if (chunk == null) {
          exhausted = true;
          return;
        }
        int needed = size + chunk.rows();
        if (needed > rows.length) {
          int length = Math.max(needed, 2 * rows.length);
          chunks = java.util.Arrays.copyOf(chunks, length);
          rows = java.util.Arrays.copyOf(rows, length);
        }
        for (int row = 0; row < chunk.rows(); row++) {
          chunks[size] = chunk;
          rows[size++] = row;
        }
      }
    }

    @Override
    boolean maybeMore() {
      return size > 0 || (!exhausted && source.maybeMore());
    }
  }
}
