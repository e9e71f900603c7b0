/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureView;

/** Doubles: from floats, or from text when they were written exactly. */
final class DoubleDecoder extends ValueDecoder {
  DoubleDecoder(Column column) {
    super(column, FeatureKind.FLOAT, FeatureKind.BYTES);
  }

  @Override
  void one(FeatureView feature, RowBuffer row, int word) throws BadRecordException {
    if (feature.kind() == FeatureKind.FLOAT) {
      row.putDouble(word, feature.firstFloat());
    } else {
      texts(feature, row, word);
    }
  }

  @Override
  void all(FeatureView feature, RowBuffer row, int array) throws BadRecordException {
    int count = feature.count();
    int at = RowBuffer.elementsAt(array, count);
    if (feature.kind() == FeatureKind.BYTES) {
      texts(feature, row, at);
      return;
    }
    float[] values = row.floats(count);
    feature.floats(values, 0);
    for (int i = 0; i < count; i++) {
      row.putDouble(at + i * Double.BYTES, values[i]);
    }
  }

  private void texts(FeatureView feature, RowBuffer row, int at) throws BadRecordException {
    int count = feature.count();
    int[] starts = row.starts(count);
    int[] lengths = row.lengths();
    feature.elements(starts, lengths);
    for (int i = 0; i < count; i++) {
      String text = NumberText.text(column, feature.buffer(), starts[i], lengths[i]);
      row.putDouble(at + i * Double.BYTES, NumberText.toDouble(column, text));
    }
  }
}
