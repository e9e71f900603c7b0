/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.nio.ByteBuffer;

/** Copies the box of one row into the corner of the batch's larger one, stretch by stretch. */
final class BoxCopy {
  private final byte[] padding;
  private final int bytes;
  private final int[] dims;

  /** Bytes of one index of each dimension, in the row's own box and in the batch's. */
  private final int[] from;

  private final int[] to;
  private final int[] large;
  private final int largeBytes;

  /** From this dimension on the row's box and the batch's agree, so that it is one stretch. */
  private int together;

  /**
   * @param shape batch dimension and dimensions of the large box
   */
  BoxCopy(long[] shape, int bytes, byte[] padding) {
    this.padding = padding;
    this.bytes = bytes;
    int rank = shape.length - 1;
    this.dims = new int[rank];
    this.from = new int[rank];
    this.to = new int[rank];
    this.large = new int[rank];
    long stride = bytes;
    for (int i = rank - 1; i >= 0; i--) {
      large[i] = (int) shape[i + 1];
      to[i] = (int) stride;
      stride = Math.multiplyExact(stride, large[i]);
    }
    this.largeBytes = Math.toIntExact(stride);
  }

  /** Bytes of the large box. */
  int bytes() {
    return largeBytes;
  }

  /** Fills so many large boxes with padding. */
  void padAll(ByteBuffer target, int rows) {
    int length = Math.multiplyExact(rows, largeBytes);
    int done = Math.min(length, Math.max(padding.length, 4096 / padding.length * padding.length));
    byte[] block = new byte[done];
    Constants.fill(block, 0, done, padding);
    for (int at = 0; at < length; at += done) {
      target.put(at, block, 0, Math.min(done, length - at));
    }
  }

  /** Reads a row's dimensions, of which only the unknown ones lie in memory. */
  void open(ByteBuffer memory, int at, int[] rowShape) {
    int next = at;
    for (int i = 0; i < dims.length; i++) {
      dims[i] = rowShape[i];
      if (rowShape[i] < 0) {
        dims[i] = memory.getInt(next);
        next += Integer.BYTES;
      }
    }
    int stride = bytes;
    together = dims.length - 1;
    boolean equal = true;
    for (int i = dims.length - 1; i >= 0; i--) {
      from[i] = stride;
      stride *= dims[i];
      equal &= dims[i] == large[i];
      if (equal && i > 0) {
        together = i - 1;
      }
    }
  }

  void copy(ByteBuffer memory, int source, ByteBuffer target, int at) {
    copy(0, memory, source, target, at);
  }

  private void copy(int level, ByteBuffer memory, int source, ByteBuffer target, int at) {
    if (level == together) {
      target.put(at, memory, source, dims[level] * from[level]);
      return;
    }
    for (int i = 0; i < dims[level]; i++) {
      copy(level + 1, memory, source + i * from[level], target, at + i * to[level]);
    }
  }
}
