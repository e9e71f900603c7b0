/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureView;

/** Whole numbers, and what Spark keeps as such. */
final class WholeDecoder extends ValueDecoder {
  private final int size;
  private final long min;
  private final long max;

  /** Bits of a value: the rest of a word is 0 in Spark's form, also for values below 0. */
  private final long mask;

  WholeDecoder(Column column) {
    super(column, FeatureKind.INT64);
    size = column.value().size;
    mask = -1L >>> (Long.SIZE - size * Byte.SIZE);
    if (column.value() == Column.Value.BOOLEAN) {
      min = 0;
      max = 1;
    } else {
      max = mask >>> 1;
      min = ~max;
    }
  }

  @Override
  void one(FeatureView feature, RowBuffer row, int word) throws BadRecordException {
    long value = feature.firstLong();
    if (value < min || value > max) {
      throw BadRecords.outOfRange(column, Long.toString(value));
    }
    row.putLong(word, value & mask);
  }

  @Override
  void all(FeatureView feature, RowBuffer row, int array) throws BadRecordException {
    int count = feature.count();
    long[] values = row.longs(count);
    feature.longs(values, 0);
    if (size < Long.BYTES) {
      check(values, count);
    }
    int at = RowBuffer.elementsAt(array, count);
    switch (size) {
      case Long.BYTES -> row.putLongs(at, values, count);
      case Integer.BYTES -> {
        for (int i = 0; i < count; i++) {
          row.putInt(at + i * Integer.BYTES, (int) values[i]);
        }
      }
      case Short.BYTES -> {
        for (int i = 0; i < count; i++) {
          row.putShort(at + i * Short.BYTES, (short) values[i]);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          row.putByte(at + i, (byte) values[i]);
        }
      }
    }
  }

  private void check(long[] values, int count) throws BadRecordException {
    for (int i = 0; i < count; i++) {
      if (values[i] < min || values[i] > max) {
        throw BadRecords.outOfRange(column, Long.toString(values[i]));
      }
    }
  }
}
