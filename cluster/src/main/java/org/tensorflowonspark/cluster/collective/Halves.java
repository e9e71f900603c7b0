/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

/** The two 16-bit float formats, rounded to nearest even. JDK 20 has this for one of them. */
final class Halves {
  private Halves() {}

  static float fromBfloat16(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  static short toBfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) ((bits >>> 16) | 0x40);
    }
    return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
  }

  static float fromFloat16(short bits) {
    int exponent = (bits >>> 10) & 0x1f;
    int fraction = bits & 0x3ff;
    float magnitude;
    if (exponent == 0) {
      magnitude = fraction * 0x1p-24f;
    } else if (exponent == 31) {
      magnitude = fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
    } else {
      magnitude = Float.intBitsToFloat(((exponent + 112) << 23) | (fraction << 13));
    }
    return bits < 0 ? -magnitude : magnitude;
  }

  static short toFloat16(float value) {
    int sign = (Float.floatToRawIntBits(value) >>> 16) & 0x8000;
    float magnitude = Math.abs(value);
    int half;
    if (Float.isNaN(value)) {
      half = 0x7e00;
    } else if (magnitude >= 65520f) {
      half = 0x7c00;
    } else if (magnitude < 0x1p-14f) {
      // Adding 2^-1 puts the 24 fraction bits of the float where half's steps of 2^-24 are, and
      // the addition rounds to nearest even.
      half = Float.floatToRawIntBits(magnitude + 0.5f) - Float.floatToRawIntBits(0.5f);
    } else {
      int bits = Float.floatToRawIntBits(magnitude);
      half = ((bits + 0xfff + ((bits >>> 13) & 1)) >>> 13) - (112 << 10);
    }
    return (short) (sign | half);
  }
}
