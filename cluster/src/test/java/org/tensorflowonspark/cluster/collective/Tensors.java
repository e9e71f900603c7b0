/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Buffers with values that follow from seed, tensor and element. */
final class Tensors implements ReduceBuffers {
  private final ElementType type;
  private final List<ByteBuffer> buffers = new ArrayList<>();

  Tensors(ElementType type, int[] elements) {
    this.type = type;
    for (int n : elements) {
      buffers.add(Stream.direct(n * type.size()));
    }
  }

  static Tensors random(ElementType type, int[] elements, long seed) {
    Tensors tensors = new Tensors(type, elements);
    for (int i = 0; i < elements.length; i++) {
      for (int e = 0; e < elements[i]; e++) {
        tensors.put(i, e, value(type, seed, i, e));
      }
    }
    return tensors;
  }

  /** Exact in its type: a whole number, or one with a few binary places. */
  static double value(ElementType type, long seed, int tensor, int element) {
    long mixed = (seed * 31 + tensor) * 0x9e3779b97f4a7c15L + element * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 29)) * 0x94d049bb133111ebL;
    int n = (int) (mixed >>> 40) % 1000 - 500;
    return switch (type) {
      case INT32, INT64 -> n * 1000;
      case BFLOAT16, FLOAT16 -> n % 64;
      case FLOAT32, FLOAT64 -> n / 8.0;
    };
  }

  static double tolerance(ElementType type) {
    return type == ElementType.BFLOAT16 || type == ElementType.FLOAT16 ? 1.5 : 1e-9;
  }

  private void put(int i, int e, double v) {
    ByteBuffer b = buffers.get(i);
    switch (type) {
      case FLOAT32 -> b.putFloat(4 * e, (float) v);
      case FLOAT64 -> b.putDouble(8 * e, v);
      case BFLOAT16 -> b.putShort(2 * e, Halves.toBfloat16((float) v));
      case FLOAT16 -> b.putShort(2 * e, Halves.toFloat16((float) v));
      case INT32 -> b.putInt(4 * e, (int) v);
      case INT64 -> b.putLong(8 * e, (long) v);
    }
  }

  double get(int i, int e) {
    ByteBuffer b = buffers.get(i);
    return switch (type) {
      case FLOAT32 -> b.getFloat(4 * e);
      case FLOAT64 -> b.getDouble(8 * e);
      case BFLOAT16 -> Halves.fromBfloat16(b.getShort(2 * e));
      case FLOAT16 -> Halves.fromFloat16(b.getShort(2 * e));
      case INT32 -> b.getInt(4 * e);
      case INT64 -> b.getLong(8 * e);
    };
  }

  void fillFloat(float value) {
    for (ByteBuffer b : buffers) {
      for (int at = 0; at < b.capacity(); at += 4) {
        b.putFloat(at, value);
      }
    }
  }

  int elements(int i) {
    return buffers.get(i).capacity() / type.size();
  }

  /** Copies of all bytes, to compare. */
  List<ByteBuffer> bytes() {
    return List.copyOf(buffers);
  }

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
}
