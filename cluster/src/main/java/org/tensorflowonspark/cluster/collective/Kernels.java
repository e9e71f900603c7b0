/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Adds two pieces with factors: {@code mine = a * mine + b * theirs}. Works in blocks that fit the
 * first-level cache: bulk copies into arrays, and plain loops over arrays, which the compiler turns
 * into vector instructions; loops over direct buffers it does not. A factor of zero means that the
 * side contributes nothing, whatever its bytes are (NaN included). Not shared between threads.
 */
final class Kernels {
  private static final int BLOCK = 2048;

  private final float[] floatA = new float[BLOCK];
  private final float[] floatB = new float[BLOCK];
  private final double[] doubleA = new double[BLOCK];
  private final double[] doubleB = new double[BLOCK];
  private final short[] shortA = new short[BLOCK];
  private final short[] shortB = new short[BLOCK];
  private final int[] intA = new int[BLOCK];
  private final int[] intB = new int[BLOCK];
  private final long[] longA = new long[BLOCK];
  private final long[] longB = new long[BLOCK];

  /**
   * Combines in place.
   *
   * @param mine one operand and the result; whole elements in native order
   * @param theirs the other operand, as long as {@code mine}
   */
  void combine(ElementType type, ByteBuffer mine, ByteBuffer theirs, double a, double b) {
    switch (type) {
      case FLOAT32 -> floats(mine.asFloatBuffer(), theirs.asFloatBuffer(), (float) a, (float) b);
      case FLOAT64 -> doubles(mine.asDoubleBuffer(), theirs.asDoubleBuffer(), a, b);
      case BFLOAT16 ->
          halves(mine.asShortBuffer(), theirs.asShortBuffer(), (float) a, (float) b, true);
      case FLOAT16 ->
          halves(mine.asShortBuffer(), theirs.asShortBuffer(), (float) a, (float) b, false);
      case INT32 -> ints(mine.asIntBuffer(), theirs.asIntBuffer(), a != 0, b != 0);
      case INT64 -> longs(mine.asLongBuffer(), theirs.asLongBuffer(), a != 0, b != 0);
    }
  }

  private void floats(FloatBuffer mine, FloatBuffer theirs, float a, float b) {
    int total = mine.remaining();
    for (int at = 0; at < total; at += BLOCK) {
      int n = Math.min(BLOCK, total - at);
      mine.get(at, floatA, 0, n);
      theirs.get(at, floatB, 0, n);
      if (a == 0) {
        scale(floatB, b, floatA, n);
      } else if (b == 0) {
        scale(floatA, a, floatA, n);
      } else {
        add(floatA, floatB, a, b, n);
      }
      mine.put(at, floatA, 0, n);
    }
  }

  private static void add(float[] x, float[] y, float a, float b, int n) {
    for (int i = 0; i < n; i++) {
      x[i] = a * x[i] + b * y[i];
    }
  }

  private static void scale(float[] x, float a, float[] out, int n) {
    for (int i = 0; i < n; i++) {
      out[i] = a == 0 ? 0 : a * x[i];
    }
  }

  private void doubles(DoubleBuffer mine, DoubleBuffer theirs, double a, double b) {
    int total = mine.remaining();
    for (int at = 0; at < total; at += BLOCK) {
      int n = Math.min(BLOCK, total - at);
      mine.get(at, doubleA, 0, n);
      theirs.get(at, doubleB, 0, n);
      for (int i = 0; i < n; i++) {
        double x = a == 0 ? 0 : a * doubleA[i];
        double y = b == 0 ? 0 : b * doubleB[i];
        doubleA[i] = x + y;
      }
      mine.put(at, doubleA, 0, n);
    }
  }

  private void halves(ShortBuffer mine, ShortBuffer theirs, float a, float b, boolean brain) {
    int total = mine.remaining();
    for (int at = 0; at < total; at += BLOCK) {
      int n = Math.min(BLOCK, total - at);
      mine.get(at, shortA, 0, n);
      theirs.get(at, shortB, 0, n);
      for (int i = 0; i < n; i++) {
        float x = a == 0 ? 0 : a * widen(shortA[i], brain);
        float y = b == 0 ? 0 : b * widen(shortB[i], brain);
        shortA[i] = narrow(x + y, brain);
      }
      mine.put(at, shortA, 0, n);
    }
  }

  private static float widen(short bits, boolean brain) {
    return brain ? Halves.fromBfloat16(bits) : Halves.fromFloat16(bits);
  }

  private static short narrow(float value, boolean brain) {
    return brain ? Halves.toBfloat16(value) : Halves.toFloat16(value);
  }

  private void ints(IntBuffer mine, IntBuffer theirs, boolean a, boolean b) {
    int total = mine.remaining();
    for (int at = 0; at < total; at += BLOCK) {
      int n = Math.min(BLOCK, total - at);
      mine.get(at, intA, 0, n);
      theirs.get(at, intB, 0, n);
      for (int i = 0; i < n; i++) {
        intA[i] = (a ? intA[i] : 0) + (b ? intB[i] : 0);
      }
      mine.put(at, intA, 0, n);
    }
  }

  private void longs(LongBuffer mine, LongBuffer theirs, boolean a, boolean b) {
    int total = mine.remaining();
    for (int at = 0; at < total; at += BLOCK) {
      int n = Math.min(BLOCK, total - at);
      mine.get(at, longA, 0, n);
      theirs.get(at, longB, 0, n);
      for (int i = 0; i < n; i++) {
        longA[i] = (a ? longA[i] : 0) + (b ? longB[i] : 0);
      }
      mine.put(at, longA, 0, n);
    }
  }
}
