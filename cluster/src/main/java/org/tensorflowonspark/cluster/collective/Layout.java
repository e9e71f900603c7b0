/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.tensorflowonspark.base.TfosException;

/**
 * The buffers of an operation laid end to end as one stream of bytes. Cuts of the stream fall
 * between elements, at the same places on every rank.
 */
final class Layout {
  private final ByteBuffer[] buffers;
  private final ElementType[] types;
  private final long[] starts;
  private final long hash;

  Layout(ReduceBuffers source) {
    int count = source.count();
    buffers = new ByteBuffer[count];
    types = new ElementType[count];
    starts = new long[count + 1];
    long mixed = count;
    for (int i = 0; i < count; i++) {
      ByteBuffer buffer = source.buffer(i);
      types[i] = source.elementType(i);
      if (!buffer.isDirect() || buffer.isReadOnly() || buffer.remaining() % types[i].size() != 0) {
        throw new TfosException(
            CollectiveError.INVALID_ARGUMENT,
            "Buffer " + i + " of " + types[i] + " is " + buffer,
            "Give direct, writable buffers of whole elements.");
      }
      buffers[i] = buffer.slice().order(ByteOrder.nativeOrder());
      starts[i + 1] = starts[i] + buffer.remaining();
      mixed = mixed * 1_000_003 + types[i].name().hashCode();
      mixed = mixed * 1_000_003 + buffer.remaining();
    }
    hash = mixed;
  }

  long bytes() {
    return starts[buffers.length];
  }

  int count() {
    return buffers.length;
  }

  /** Differs, but for chance, when counts, sizes or types differ. */
  long hash() {
    return hash;
  }

  ByteBuffer buffer(int index) {
    return buffers[index];
  }

  ElementType type(int index) {
    return types[index];
  }

  /** Offset of the buffer in the stream. */
  long start(int index) {
    return starts[index];
  }

  long end(int index) {
    return starts[index + 1];
  }

  /** The last buffer that starts at or before {@code position} and is not empty there. */
  int indexAt(long position) {
    int low = 0;
    int high = buffers.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (starts[middle + 1] > position) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The nearest cut at or before {@code position}. */
  long cut(long position) {
    if (position >= bytes()) {
      return bytes();
    }
    int index = indexAt(position);
    return position - (position - starts[index]) % types[index].size();
  }
}
