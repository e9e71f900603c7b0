/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.nio.ByteBuffer;

/** Hands the strings of ragged rows on, padded to the batch's shape, in row-major order. */
final class StringBoxes {
  private final long[] shape;
  private final byte[] padding;
  private final int column;
  private final RowSink sink;
  private final int[] dims;

  private ByteBuffer memory = ByteBuffer.allocate(0);
  private byte[] bytes = new byte[0];
  private int ends;
  private int shift;
  private int source;
  private int element;

  StringBoxes(long[] shape, byte[] padding, int column, RowSink sink) {
    this.shape = shape;
    this.padding = padding;
    this.column = column;
    this.sink = sink;
    this.dims = new int[shape.length - 1];
  }

  /**
   * One row.
   *
   * @param dimsAt where its unknown dimensions lie
   * @param newEnds where the offsets of strings lie
   * @param first its first string
   * @param newShift from an offset of a string to its place in the array
   */
  void row(
      ByteBuffer newMemory,
      int dimsAt,
      int[] rowShape,
      int newEnds,
      int first,
      byte[] newBytes,
      int newShift) {
    memory = newMemory;
    bytes = newBytes;
    ends = newEnds;
    shift = newShift;
    source = first;
    int next = dimsAt;
    for (int i = 0; i < dims.length; i++) {
      dims[i] = rowShape[i];
      if (rowShape[i] < 0) {
        dims[i] = memory.getInt(next);
        next += Integer.BYTES;
      }
    }
    emit(0, true);
  }

  private void emit(int level, boolean inside) {
    if (level < dims.length) {
      for (int i = 0; i < shape[level + 1]; i++) {
        emit(level + 1, inside && i < dims[level]);
      }
    } else if (inside) {
      int begin = memory.getInt(ends + source * Integer.BYTES);
      source++;
      int end = memory.getInt(ends + source * Integer.BYTES);
      sink.string(column, element++, bytes, begin + shift, end - begin);
    } else {
      sink.string(column, element++, padding, 0, padding.length);
    }
  }
}
