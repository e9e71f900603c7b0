/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The buffers of one operation, in an order that is the same on every rank. What counts is between
 * position and limit; positions are not moved. Direct buffers, since the bytes go straight from
 * them to the socket and back.
 */
public interface ReduceBuffers {

  /** How many there are. */
  int count();

  /** The buffer at {@code index}; direct, its length a multiple of the element's size. */
  ByteBuffer buffer(int index);

  /** What the buffer at {@code index} holds. */
  ElementType elementType(int index);

  /** Buffers that all hold the same type. */
  static ReduceBuffers of(ElementType type, List<ByteBuffer> buffers) {
    return new ReduceBuffers() {
      @Override
      public int count() {
        return buffers.size();
      }

      @Override
      public ByteBuffer buffer(int index) {
        return buffers.get(index);
      }

      @Override
      public ElementType elementType(int index) {
        return type;
      }
    };
  }

  /** No buffers: an operation on scalars alone. */
  static ReduceBuffers none() {
    return of(ElementType.FLOAT32, List.of());
  }
}
