/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureView;

/** Floats: a list is one copy of bytes. */
final class FloatDecoder extends ValueDecoder {
  FloatDecoder(Column column) {
    super(column, FeatureKind.FLOAT);
  }

  @Override
  void one(FeatureView feature, RowBuffer row, int word) {
    row.putLong(word, Float.floatToRawIntBits(feature.firstFloat()) & 0xffff_ffffL);
  }

  @Override
  void all(FeatureView feature, RowBuffer row, int array) {
    int count = feature.count();
    int at = RowBuffer.elementsAt(array, count);
    int packed = feature.packedStart();
    if (packed >= 0 && RowBuffer.IS_LITTLE_ENDIAN) {
      System.arraycopy(feature.buffer(), packed, row.bytes(), at, count * Float.BYTES);
      return;
    }
    float[] values = row.floats(count);
    feature.floats(values, 0);
    for (int i = 0; i < count; i++) {
      row.putInt(at + i * Float.BYTES, Float.floatToRawIntBits(values[i]));
    }
  }
}
