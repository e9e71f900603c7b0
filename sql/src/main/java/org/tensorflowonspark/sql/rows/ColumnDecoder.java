/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureListView;
import org.tensorflowonspark.tfrecord.example.FeatureView;

/** Puts what a record has for a column into a row. */
final class ColumnDecoder {

  /** Bytes of a vector's four words and their null bits. */
  private static final int VECTOR_HEAD = 5 * Long.BYTES;

  /** Of a dense vector, size and indices are null. */
  private static final int VECTOR_NULLS = 0b0110;

  private final Column column;
  private final ValueDecoder values;
  private final int word;

  ColumnDecoder(Column column, RowBuffer row) {
    this.column = column;
    values = ValueDecoder.of(column);
    word = row.wordAt(column.ordinal());
  }

  /** Decodes a feature of an Example. */
  void decode(FeatureView feature, RowBuffer row) throws BadRecordException {
    FeatureKind kind = feature.kind();
    if (kind == FeatureKind.ABSENT || column.shape() == Column.Shape.NULL) {
      decodeAbsent(row);
      return;
    }
    if (!values.takes(kind) && kind != FeatureKind.NONE) {
      throw BadRecords.wrongKind(column, kind);
    }
    switch (column.shape()) {
      case SCALAR -> decodeScalar(feature, row);
      case VECTOR -> decodeVector(feature, row);
      default -> {
        int at = decodeArray(feature, row);
        row.putPlace(word, 0, at, row.cursor() - at);
      }
    }
  }

  /** Decodes what a SequenceExample has of that name: a feature of its context, or a list. */
  void decode(FeatureView feature, FeatureListView list, RowBuffer row) throws BadRecordException {
    if (!list.isPresent() || column.shape() == Column.Shape.NULL) {
      if (column.shape() == Column.Shape.NESTED && feature.kind() != FeatureKind.ABSENT) {
        throw BadRecords.featureInstead(column);
      }
      decode(feature, row);
      return;
    }
    if (column.shape() != Column.Shape.NESTED) {
      throw BadRecords.listInstead(column);
    }
    int steps = list.steps();
    int outer = row.beginArray(steps, Long.BYTES);
    int place = RowBuffer.elementsAt(outer, steps);
    list.rewind();
    for (int i = 0; i < steps; i++) {
      FeatureView step = list.nextStep();
      if (!values.takes(step.kind()) && step.kind() != FeatureKind.NONE) {
        throw BadRecords.wrongKind(column, step.kind());
      }
      int at = decodeArray(step, row);
      row.putPlace(place, outer, at, row.cursor() - at);
      place += Long.BYTES;
    }
    row.putPlace(word, 0, outer, row.cursor() - outer);
  }

  private void decodeAbsent(RowBuffer row) throws BadRecordException {
    if (!column.nullable()) {
      throw BadRecords.missing(column);
    }
    values.setNull(row);
  }

  private void decodeScalar(FeatureView feature, RowBuffer row) throws BadRecordException {
    int count = feature.count();
    if (count == 1) {
      values.one(feature, row, word);
    } else if (count > 1) {
      throw BadRecords.several(column, count);
    } else if (column.nullable()) {
      values.setNull(row);
    } else {
      throw BadRecords.empty(column);
    }
  }

  private int decodeArray(FeatureView feature, RowBuffer row) throws BadRecordException {
    int count = feature.count();
    int at = row.beginArray(count, column.value().size);
    if (count > 0) {
      values.all(feature, row, at);
    }
    return at;
  }

  private void decodeVector(FeatureView feature, RowBuffer row) throws BadRecordException {
    int start = row.reserve(VECTOR_HEAD);
    row.putLong(start, VECTOR_NULLS);
    row.putLong(start + Long.BYTES, 1);
    row.putLong(start + 2 * Long.BYTES, 0);
    row.putLong(start + 3 * Long.BYTES, 0);
    int at = decodeArray(feature, row);
    row.putPlace(start + 4 * Long.BYTES, start, at, row.cursor() - at);
    row.putPlace(word, 0, start, row.cursor() - start);
  }
}
