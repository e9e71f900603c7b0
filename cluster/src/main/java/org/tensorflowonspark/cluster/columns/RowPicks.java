/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one batch, in order: stretches of neighbouring rows of chunks. A shuffle adds rows
 * one by one. Refers to the chunks until cleared. For one thread, reused from batch to batch.
 */
public final class RowPicks {
  private @Nullable Chunk[] chunks = new Chunk[16];
  private int[] from = new int[16];
  private int[] counts = new int[16];
  private int size;
  private int rows;

  /** Adds rows {@code first} to {@code first + count - 1} of a chunk. */
  public void add(Chunk chunk, int first, int count) {
    Objects.checkFromIndexSize(first, count, chunk.rows());
    if (count == 0) {
      return;
    }
    if (size > 0 && chunks[size - 1] == chunk && from[size - 1] + counts[size - 1] == first) {
      counts[size - 1] += count;
    } else {
      if (size == from.length) {
        chunks = Arrays.copyOf(chunks, size * 2);
        from = Arrays.copyOf(from, size * 2);
        counts = Arrays.copyOf(counts, size * 2);
      }
      chunks[size] = chunk;
      from[size] = first;
      counts[size] = count;
      size++;
    }
    rows += count;
  }

  /** Rows in all. */
  public int rows() {
    return rows;
  }

  /** Forgets all rows and chunks. */
  public void clear() {
    Arrays.fill(chunks, 0, size, null);
    size = 0;
    rows = 0;
  }

  int size() {
    return size;
  }

  Chunk chunk(int pick) {
    return Objects.requireNonNull(chunks[pick]);
  }

  int from(int pick) {
    return from[pick];
  }

  int count(int pick) {
    return counts[pick];
  }
}
