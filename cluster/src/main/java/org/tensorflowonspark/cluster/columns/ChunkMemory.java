/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.util.ArrayDeque;

/**
 * Where chunks get their byte arrays. A new array is cleared by the JVM, which costs as much as
 * filling it; chunks that are read once should come from {@link #recycling}. Called once or twice
 * for a chunk, by the feed task, and by whoever releases a chunk; so implementations are
 * thread-safe.
 */
public interface ChunkMemory {

  /** An array of at least that length, of any content. */
  byte[] take(int atLeast);

  /** Gives an array back that nobody refers to any more. */
  void give(byte[] array);

  /** New arrays, left to the garbage collector. */
  static ChunkMemory heap() {
    return new ChunkMemory() {
      @Override
      public byte[] take(int atLeast) {
        return new byte[atLeast];
      }

      @Override
      public void give(byte[] array) {}
    };
  }

  /** Arrays that were given back, as far as they fit, and no more than so many bytes of them. */
  static ChunkMemory recycling(long maxBytes) {
    return new ChunkMemory() {
      private final ArrayDeque<byte[]> free = new ArrayDeque<>();
      private long bytes;

      @Override
      public byte[] take(int atLeast) {
        synchronized (free) {
          // The last one given back is the one that the caches still know.
          byte[] array = free.pollLast();
          if (array != null) {
            bytes -= array.length;
            if (array.length >= atLeast) {
              return array;
            }
          }
        }
        // Some more, so that it also fits a next chunk whose strings are a little longer.
        return new byte[(int) Math.min(Growing.MAX, atLeast + atLeast / 8L)];
      }

      @Override
      public void give(byte[] array) {
        synchronized (free) {
          if (bytes + array.length <= maxBytes) {
            bytes += array.length;
            free.addLast(array);
          }
        }
      }
    };
  }
}
