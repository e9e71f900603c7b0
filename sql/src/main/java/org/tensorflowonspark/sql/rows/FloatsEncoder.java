/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/** What becomes a list of floats. */
abstract class FloatsEncoder extends ValueEncoder {
  private float[] values = new float[16];

  abstract float get(SpecializedGetters from, int ordinal);

  void get(ArrayData from, float[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = get(from, i);
    }
  }

  @Override
  final void one(SpecializedGetters row, int ordinal, ExampleWriter out, int feature) {
    values[0] = get(row, ordinal);
    out.floats(feature, values, 0, 1);
  }

  @Override
  void all(ArrayData array, ExampleWriter out, int feature) {
    int count = array.numElements();
    if (values.length < count) {
      values = new float[count];
    }
    get(array, values, count);
    if (feature == NEXT_STEP) {
      out.stepFloats(values, 0, count);
    } else {
      out.floats(feature, values, 0, count);
    }
  }
}
