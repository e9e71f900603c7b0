/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/** What becomes a list of bytes, written value by value. */
abstract class ElementsEncoder extends ValueEncoder {

  /** Writes the value at {@code ordinal} as the next of the list that was begun. */
  abstract void put(SpecializedGetters from, int ordinal, ExampleWriter out);

  @Override
  final void one(SpecializedGetters row, int ordinal, ExampleWriter out, int feature) {
    out.beginBytes(feature, 1);
    put(row, ordinal, out);
  }

  @Override
  final void all(ArrayData array, ExampleWriter out, int feature) {
    int count = array.numElements();
    if (feature == NEXT_STEP) {
      out.stepBytes(count);
    } else {
      out.beginBytes(feature, count);
    }
    for (int i = 0; i < count; i++) {
      put(array, i, out);
    }
  }
}
