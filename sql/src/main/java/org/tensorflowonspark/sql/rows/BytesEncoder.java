/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/** Strings and binary values: bytes as they are. */
final class BytesEncoder extends ElementsEncoder {
  private final boolean binary;

  BytesEncoder(boolean binary) {
    this.binary = binary;
  }

  /** Copies from where Spark has the bytes, without an array between where it can be. */
  @Override
  void put(SpecializedGetters from, int ordinal, ExampleWriter out) {
    if (from instanceof UnsafeRow row) {
      copy(row.getBaseObject(), row.getBaseOffset(), row.getLong(ordinal), out);
    } else if (from instanceof UnsafeArrayData array) {
      copy(array.getBaseObject(), array.getBaseOffset(), array.getLong(ordinal), out);
    } else if (binary) {
      byte[] bytes = from.getBinary(ordinal);
      out.bytes(bytes, 0, bytes.length);
    } else {
      UTF8String text = from.getUTF8String(ordinal);
      copy(text.getBaseObject(), text.getBaseOffset(), text.numBytes(), out);
    }
  }

  /**
   * @param place offset from {@code base} in the upper half, length in the lower
   */
  private static void copy(Object object, long base, long place, ExampleWriter out) {
    int length = (int) place;
    int at = out.reserveBytes(length);
    Platform.copyMemory(
        object, base + (place >>> 32), out.buffer(), Platform.BYTE_ARRAY_OFFSET + at, length);
  }
}
