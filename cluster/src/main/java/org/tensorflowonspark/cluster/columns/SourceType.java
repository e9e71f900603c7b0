/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.tensorflow.DType;

/** What the innermost value of a column is, as Spark stores it in rows and arrays. */
enum SourceType {
  BOOLEAN(1, Family.INTEGER),
  BYTE(1, Family.INTEGER),
  SHORT(2, Family.INTEGER),
  INT(4, Family.INTEGER),
  LONG(8, Family.INTEGER),
  FLOAT(4, Family.FRACTION),
  DOUBLE(8, Family.FRACTION),
  /** Of a scale of 0: an integer. */
  WHOLE_DECIMAL(0, Family.INTEGER),
  DECIMAL(0, Family.FRACTION),
  STRING(0, Family.BYTES),
  BINARY(0, Family.BYTES),
  /** Spark ML's vector: itself one dimension of doubles. */
  VECTOR(0, Family.FRACTION);

  /** How values convert. */
  enum Family {
    INTEGER,
    FRACTION,
    BYTES
  }

  private final int bytes;
  private final Family family;

  SourceType(int bytes, Family family) {
    this.bytes = bytes;
    this.family = family;
  }

  /** Bytes of an element in Spark's arrays, 0 when it differs. */
  int bytes() {
    return bytes;
  }

  Family family() {
    return family;
  }

  /** The tensor type that has the very same bytes, or null. */
  @Nullable DType same() {
    return switch (this) {
      case BOOLEAN -> DType.BOOL;
      case BYTE -> DType.INT8;
      case SHORT -> DType.INT16;
      case INT -> DType.INT32;
      case LONG -> DType.INT64;
      case FLOAT -> DType.FLOAT32;
      case DOUBLE -> DType.FLOAT64;
      case WHOLE_DECIMAL, DECIMAL, STRING, BINARY, VECTOR -> null;
    };
  }
}
