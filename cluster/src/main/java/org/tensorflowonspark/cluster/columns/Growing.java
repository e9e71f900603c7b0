/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.util.Arrays;
import org.apache.spark.unsafe.Platform;

/** Bytes that grow, kept from chunk to chunk. */
final class Growing {
  /** Somewhat below the longest array that every JVM makes. */
  static final int MAX = Integer.MAX_VALUE - 4096;

  private byte[] memory = new byte[64];
  private int size;

  byte[] memory() {
    return memory;
  }

  int size() {
    return size;
  }

  void size(int newSize) {
    size = newSize;
  }

  /** Makes room and returns whether that was possible. */
  boolean reserve(long more) {
    long needed = size + more;
    if (needed > MAX) {
      return false;
    }
    if (needed > memory.length) {
      memory = Arrays.copyOf(memory, (int) Math.min(MAX, Math.max(needed, memory.length * 2L)));
    }
    return true;
  }

  /** Appends a number where room was made for it. */
  void putInt(int value) {
    Platform.putInt(memory, Platform.BYTE_ARRAY_OFFSET + (long) size, value);
    size += Integer.BYTES;
  }

  int getInt(int index) {
    return Platform.getInt(memory, Platform.BYTE_ARRAY_OFFSET + (long) index * Integer.BYTES);
  }
}
