/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.apache.spark.unsafe.Platform;
import org.tensorflowonspark.tensorflow.DType;

/**
 * Narrows longs and doubles to the tensor's type, one loop for each type. The loops write
 * everything and only gather whether any value did not fit; where is looked for afterwards.
 */
final class Stores {
  /** Integers of as many bits are exact in a float and a double. */
  private static final int FLOAT_BITS = 24;

  private static final int DOUBLE_BITS = 53;

  private final DType dtype;
  private final boolean lossy;

  Stores(DType dtype, boolean lossy) {
    this.dtype = dtype;
    this.lossy = lossy;
  }

  /** Returns the index of the first value that does not fit, or -1. */
  int longs(long[] in, int n, byte[] dst, long to) {
    long bad = 0;
    switch (dtype) {
      case FLOAT32 -> {
        for (int i = 0; i < n; i++) {
          bad |= in[i] ^ (in[i] >> 63);
          Platform.putFloat(dst, to + 4L * i, (float) in[i]);
        }
        // Smaller ones are exact; whether larger ones are is looked for one by one.
        bad = lossy ? 0 : bad >> FLOAT_BITS;
      }
      case FLOAT64 -> {
        for (int i = 0; i < n; i++) {
          bad |= in[i] ^ (in[i] >> 63);
          Platform.putDouble(dst, to + 8L * i, (double) in[i]);
        }
        bad = lossy ? 0 : bad >> DOUBLE_BITS;
      }
      case INT64 -> Platform.copyMemory(in, Platform.LONG_ARRAY_OFFSET, dst, to, 8L * n);
      case INT32 -> {
        for (int i = 0; i < n; i++) {
          bad |= (int) in[i] ^ in[i];
          Platform.putInt(dst, to + 4L * i, (int) in[i]);
        }
      }
      case INT16 -> {
        for (int i = 0; i < n; i++) {
          bad |= (short) in[i] ^ in[i];
          Platform.putShort(dst, to + 2L * i, (short) in[i]);
        }
      }
      case INT8 -> {
        for (int i = 0; i < n; i++) {
          bad |= (byte) in[i] ^ in[i];
          Platform.putByte(dst, to + i, (byte) in[i]);
        }
      }
      case UINT8 -> {
        for (int i = 0; i < n; i++) {
          bad |= (in[i] & 0xFF) ^ in[i];
          Platform.putByte(dst, to + i, (byte) in[i]);
        }
      }
      case UINT16 -> {
        for (int i = 0; i < n; i++) {
          bad |= (in[i] & 0xFFFF) ^ in[i];
          Platform.putShort(dst, to + 2L * i, (short) in[i]);
        }
      }
      case UINT32 -> {
        for (int i = 0; i < n; i++) {
          bad |= (in[i] & 0xFFFFFFFFL) ^ in[i];
          Platform.putInt(dst, to + 4L * i, (int) in[i]);
        }
      }
      case UINT64 -> {
        for (int i = 0; i < n; i++) {
          bad |= in[i] & Long.MIN_VALUE;
        }
        Platform.copyMemory(in, Platform.LONG_ARRAY_OFFSET, dst, to, 8L * n);
      }
      case BOOL -> {
        for (int i = 0; i < n; i++) {
          bad |= (in[i] & 1) ^ in[i];
          Platform.putByte(dst, to + i, (byte) (in[i] == 0 ? 0 : 1));
        }
        bad = lossy ? 0 : bad;
      }
      case FLOAT16, BFLOAT16, STRING -> throw new IllegalStateException("no number");
    }
    return bad == 0 ? -1 : firstBad(in, n);
  }

  /** As {@link #longs}; the scratch array is as long as the input. */
  int doubles(double[] in, long[] scratch, int n, byte[] dst, long to) {
    switch (dtype) {
      case FLOAT64 -> {
        Platform.copyMemory(in, Platform.DOUBLE_ARRAY_OFFSET, dst, to, 8L * n);
        return -1;
      }
      case FLOAT32 -> {
        int exponents = 0;
        for (int i = 0; i < n; i++) {
          float f = (float) in[i];
          // Overflows into the sign for an exponent of all ones only: infinite or not a number.
          exponents |= (Float.floatToRawIntBits(f) & 0x7F800000) + 0x00800000;
          Platform.putFloat(dst, to + 4L * i, f);
        }
        return exponents < 0 && !lossy ? firstInfinite(in, n) : -1;
      }
      case BOOL -> {
        for (int i = 0; i < n; i++) {
          Platform.putByte(dst, to + i, (byte) (in[i] == 0 ? 0 : 1));
        }
        return -1;
      }
      default -> {
        for (int i = 0; i < n; i++) {
          // Not so for NaN and what is beyond a long; 2^63 itself is.
          if (!(in[i] >= -0x1p63 && in[i] < 0x1p63)) {
            return i;
          }
          scratch[i] = (long) in[i];
        }
        return longs(scratch, n, dst, to);
      }
    }
  }

  /** Whether an integer that does not fit is beyond the type, rather than only not exact in it. */
  boolean outOfRange() {
    return dtype != DType.FLOAT32 && dtype != DType.FLOAT64;
  }

  private int firstBad(long[] in, int n) {
    for (int i = 0; i < n; i++) {
      long v = in[i];
      boolean fits =
          switch (dtype) {
            // The largest long rounds to 2^63, which comes back as the largest long.
            case FLOAT32 -> (long) (float) v == v && v != Long.MAX_VALUE;
            case FLOAT64 -> (long) (double) v == v && v != Long.MAX_VALUE;
            case INT32 -> (int) v == v;
            case INT16 -> (short) v == v;
            case INT8 -> (byte) v == v;
            case UINT8 -> (v & 0xFF) == v;
            case BOOL -> (v & 1) == v;
            case UINT16 -> (v & 0xFFFF) == v;
            case UINT32 -> (v & 0xFFFFFFFFL) == v;
            case UINT64 -> v >= 0;
            case INT64, FLOAT16, BFLOAT16, STRING -> true;
          };
      if (!fits) {
        return i;
      }
    }
    return -1;
  }

  private static int firstInfinite(double[] in, int n) {
    for (int i = 0; i < n; i++) {
      if (Float.isInfinite((float) in[i]) && !Double.isInfinite(in[i])) {
        return i;
      }
    }
    return -1;
  }
}
