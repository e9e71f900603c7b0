/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

/** Type of the numbers in a buffer, in the machine's byte order. */
public enum ElementType {
  FLOAT32(4),
  FLOAT64(8),
  /** Added as floats and rounded to nearest even each time. */
  BFLOAT16(2),
  /** IEEE half precision; added as floats and rounded to nearest even each time. */
  FLOAT16(2),
  /** Added as they are, without weights, wrapping around. */
  INT32(4),
  /** Added as they are, without weights, wrapping around. */
  INT64(8);

  private final int size;

  ElementType(int size) {
    this.size = size;
  }

  /** Bytes of one element. */
  public int size() {
    return size;
  }
}
