/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.apache.spark.unsafe.Platform;

/** Widens the elements of Spark's arrays of primitives, one loop for each type. */
final class Loads {
  private Loads() {}

  static void longs(SourceType type, Object base, long from, int n, long[] out) {
    switch (type) {
      case BOOLEAN, BYTE -> {
        for (int i = 0; i < n; i++) {
          out[i] = Platform.getByte(base, from + i);
        }
      }
      case SHORT -> {
        for (int i = 0; i < n; i++) {
          out[i] = Platform.getShort(base, from + 2L * i);
        }
      }
      case INT -> {
        for (int i = 0; i < n; i++) {
          out[i] = Platform.getInt(base, from + 4L * i);
        }
      }
      case LONG -> Platform.copyMemory(base, from, out, Platform.LONG_ARRAY_OFFSET, 8L * n);
      default -> throw new IllegalStateException(type.name());
    }
  }

  static void doubles(SourceType type, Object base, long from, int n, double[] out) {
    switch (type) {
      case FLOAT -> {
        for (int i = 0; i < n; i++) {
          out[i] = Platform.getFloat(base, from + 4L * i);
        }
      }
      case DOUBLE -> Platform.copyMemory(base, from, out, Platform.DOUBLE_ARRAY_OFFSET, 8L * n);
      default -> throw new IllegalStateException(type.name());
    }
  }
}
