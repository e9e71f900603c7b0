/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.nio.ByteBuffer;
import org.tensorflowonspark.tensorflow.DType;

/**
 * One column's entry in the head of a chunk: type, row shape, and where its four parts lie.
 *
 * <p>Layout: {@code u8 dtype, u8 rank, u16 0, i32 dims[rank]} (-1 where rows differ), then four
 * times {@code i32 offset, i32 length}, from the chunk's first byte: the unknown dimensions of each
 * row ({@code i32}, in order), the first element of each row and the end ({@code i32[rows + 1]}),
 * the first byte of each string and the end ({@code i32[elements + 1]}), and the data. Parts that a
 * column does not have are 0, 0. Parts begin at multiples of 8.
 *
 * @param elements of one row, or -1 when ragged
 * @param unknownDims how many dims are -1
 */
// Package-private and read only; never compared.
@SuppressWarnings("ArrayRecordComponent")
record ChunkColumn(
    DType dtype, int[] dims, int elements, int unknownDims, int[] offsets, int[] lengths) {
  static final int ROW_DIMS = 0;
  static final int ROW_OFFSETS = 1;
  static final int ELEMENT_OFFSETS = 2;
  static final int DATA = 3;
  static final int PARTS = 4;

  private static final DType[] TYPES = new DType[256];

  static {
    for (DType type : DType.values()) {
      TYPES[id(type)] = type;
    }
  }

  /** TensorFlow's own number of the type. */
  static int id(DType type) {
    return type.dataType().getNumber();
  }

  boolean ragged() {
    return unknownDims > 0;
  }

  boolean text() {
    return dtype == DType.STRING;
  }

  /** Bytes of one row of a column of fixed size. */
  int rowBytes() {
    return elements * dtype.bytes();
  }

  /** Bytes of an entry. */
  static int size(int rank) {
    return 4 + Integer.BYTES * rank + PARTS * 2 * Integer.BYTES;
  }

  static void write(ByteBuffer out, ColumnTarget target, int[] offsets, int[] lengths) {
    long[] shape = target.rowShape();
    out.put((byte) id(target.dtype())).put((byte) shape.length).putShort((short) 0);
    for (long dim : shape) {
      out.putInt((int) dim);
    }
    for (int part = 0; part < PARTS; part++) {
      out.putInt(offsets[part]).putInt(lengths[part]);
    }
  }

  /** Reads an entry at the buffer's position; checks what the entry alone can tell. */
  static ChunkColumn read(ByteBuffer in) {
    if (in.remaining() < size(0)) {
      throw Chunk.corrupt("its head ends early");
    }
    int id = in.get() & 0xFF;
    DType dtype = TYPES[id];
    int rank = in.get() & 0xFF;
    in.getShort();
    if (dtype == null || in.remaining() < size(rank) - 4) {
      throw Chunk.corrupt("a column has type " + id + " and rank " + rank);
    }
    int[] dims = new int[rank];
    long elements = 1;
    int unknown = 0;
    for (int i = 0; i < rank; i++) {
      dims[i] = in.getInt();
      if (dims[i] == -1) {
        unknown++;
      } else if (dims[i] < 1) {
        throw Chunk.corrupt("a column has dimension " + dims[i]);
      } else {
        elements = Math.min(elements * dims[i], Integer.MAX_VALUE);
      }
    }
    int[] offsets = new int[PARTS];
    int[] lengths = new int[PARTS];
    for (int part = 0; part < PARTS; part++) {
      offsets[part] = in.getInt();
      lengths[part] = in.getInt();
    }
    if (elements * Math.max(1, dtype.bytes()) >= Integer.MAX_VALUE) {
      throw Chunk.corrupt("a row takes 2 GiB");
    }
    return new ChunkColumn(
        dtype, dims, unknown > 0 ? -1 : (int) elements, unknown, offsets, lengths);
  }
}
