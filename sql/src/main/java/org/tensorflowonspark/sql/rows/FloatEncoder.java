/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.Platform;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/** Floats: a list is one copy of bytes where Spark has it in its binary form. */
final class FloatEncoder extends FloatsEncoder {
  @Override
  float get(SpecializedGetters from, int ordinal) {
    return from.getFloat(ordinal);
  }

  /** Spark's binary form of an array holds the floats as the record does: one copy. */
  @Override
  void all(ArrayData array, ExampleWriter out, int feature) {
    if (!(array instanceof UnsafeArrayData unsafe) || !RowBuffer.IS_LITTLE_ENDIAN) {
      super.all(array, out, feature);
      return;
    }
    int count = unsafe.numElements();
    int at =
        feature == NEXT_STEP ? out.reserveStepFloats(count) : out.reserveFloats(feature, count);
    Platform.copyMemory(
        unsafe.getBaseObject(),
        unsafe.getBaseOffset() + UnsafeArrayData.calculateHeaderPortionInBytes((long) count),
        out.buffer(),
        Platform.BYTE_ARRAY_OFFSET + at,
        (long) count * Float.BYTES);
  }
}
