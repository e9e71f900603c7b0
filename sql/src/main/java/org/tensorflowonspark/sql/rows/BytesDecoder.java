/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureView;

/** Strings and binary values: bytes as they are. */
final class BytesDecoder extends ValueDecoder {
  BytesDecoder(Column column) {
    super(column, FeatureKind.BYTES);
  }

  @Override
  void one(FeatureView feature, RowBuffer row, int word) throws BadRecordException {
    int[] starts = row.starts(1);
    int[] lengths = row.lengths();
    feature.elements(starts, lengths);
    row.putBytes(word, 0, feature.buffer(), starts[0], lengths[0]);
  }

  @Override
  void all(FeatureView feature, RowBuffer row, int array) throws BadRecordException {
    int count = feature.count();
    int[] starts = row.starts(count);
    int[] lengths = row.lengths();
    feature.elements(starts, lengths);
    byte[] from = feature.buffer();
    int word = RowBuffer.elementsAt(array, count);
    for (int i = 0; i < count; i++) {
      row.putBytes(word, array, from, starts[i], lengths[i]);
      word += Long.BYTES;
    }
  }
}
