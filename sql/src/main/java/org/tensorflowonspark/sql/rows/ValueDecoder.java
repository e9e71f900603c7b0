/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureView;

/** Copies the values of a feature into a row; one for each column. */
abstract class ValueDecoder {
  final Column column;
  private final int kinds;

  ValueDecoder(Column column, FeatureKind... kinds) {
    this.column = column;
    int bits = 0;
    for (FeatureKind kind : kinds) {
      bits |= 1 << kind.ordinal();
    }
    this.kinds = bits;
  }

  static ValueDecoder of(Column column) {
    return switch (column.value()) {
      case BOOLEAN, BYTE, SHORT, INT, LONG -> new WholeDecoder(column);
      case FLOAT -> new FloatDecoder(column);
      case DOUBLE -> new DoubleDecoder(column);
      case BYTES -> new BytesDecoder(column);
      case DECIMAL -> new DecimalDecoder(column);
    };
  }

  final boolean takes(FeatureKind kind) {
    return ((kinds >> kind.ordinal()) & 1) != 0;
  }

  /** Puts the one value of a feature into a word of the row. */
  abstract void one(FeatureView feature, RowBuffer row, int word) throws BadRecordException;

  /** Puts all values into the elements of an array, which begins at {@code array}. */
  abstract void all(FeatureView feature, RowBuffer row, int array) throws BadRecordException;

  /** Makes the column null. */
  void setNull(RowBuffer row) throws BadRecordException {
    row.setNull(column.ordinal());
  }
}
