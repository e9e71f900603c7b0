/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import java.math.BigDecimal;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureView;

/**
 * Decimals: from floats, which are rounded to the column's scale, from text and from whole numbers.
 * Makes objects for each value, since decimal arithmetic does.
 */
final class DecimalDecoder extends ValueDecoder {

  /** Bytes that a wide decimal of a row always takes, so that Spark can update it in place. */
  private static final int WIDE = 16;

  private final int precision;
  private final int scale;
  private final boolean wide;

  DecimalDecoder(Column column) {
    super(column, FeatureKind.FLOAT, FeatureKind.BYTES, FeatureKind.INT64);
    DecimalType type = (DecimalType) column.valueType();
    precision = type.precision();
    scale = type.scale();
    wide = precision > Decimal.MAX_LONG_DIGITS();
  }

  @Override
  void one(FeatureView feature, RowBuffer row, int word) throws BadRecordException {
    load(feature, row);
    BigDecimal value = value(feature, row, 0);
    if (!wide) {
      row.putLong(word, value.unscaledValue().longValueExact());
      return;
    }
    byte[] bytes = value.unscaledValue().toByteArray();
    int at = row.reserve(WIDE);
    row.putLong(at, 0);
    System.arraycopy(bytes, 0, row.bytes(), at, bytes.length);
    row.putPlace(word, 0, at, bytes.length);
  }

  @Override
  void all(FeatureView feature, RowBuffer row, int array) throws BadRecordException {
    load(feature, row);
    int count = feature.count();
    int word = RowBuffer.elementsAt(array, count);
    for (int i = 0; i < count; i++) {
      BigDecimal value = value(feature, row, i);
      if (wide) {
        byte[] bytes = value.unscaledValue().toByteArray();
        row.putBytes(word, array, bytes, 0, bytes.length);
      } else {
        row.putLong(word, value.unscaledValue().longValueExact());
      }
      word += Long.BYTES;
    }
  }

  @Override
  void setNull(RowBuffer row) throws BadRecordException {
    super.setNull(row);
    if (wide && column.shape() == Column.Shape.SCALAR) {
      int at = row.reserve(WIDE);
      row.putLong(at, 0);
      row.putPlace(row.wordAt(column.ordinal()), 0, at, 0);
    }
  }

  private static void load(FeatureView feature, RowBuffer row) {
    int count = feature.count();
    switch (feature.kind()) {
      case FLOAT -> feature.floats(row.floats(count), 0);
      case INT64 -> feature.longs(row.longs(count), 0);
      default -> {
        int[] starts = row.starts(count);
        feature.elements(starts, row.lengths());
      }
    }
  }

  private BigDecimal value(FeatureView feature, RowBuffer row, int i) throws BadRecordException {
    switch (feature.kind()) {
      case FLOAT -> {
        float value = row.floats(i)[i];
        if (!Float.isFinite(value)) {
          throw BadRecords.outOfRange(column, Float.toString(value));
        }
        return fit(NumberText.rounded(value, scale), Float.toString(value));
      }
      case INT64 -> {
        long value = row.longs(i)[i];
        return fit(BigDecimal.valueOf(value), Long.toString(value));
      }
      default -> {
        int start = row.starts(i)[i];
        String text = NumberText.text(column, feature.buffer(), start, row.lengths()[i]);
        return fit(NumberText.toDecimal(column, text), text);
      }
    }
  }

  /** Gives the value the scale of the column; never rounds. */
  private BigDecimal fit(BigDecimal value, String shown) throws BadRecordException {
    if (value.signum() == 0) {
      return BigDecimal.ZERO.setScale(scale);
    }
    // Looks before it computes: text may have an exponent that would take all memory.
    BigDecimal shortest = value.stripTrailingZeros();
    if (shortest.scale() > scale
        || (long) shortest.precision() - shortest.scale() > precision - scale) {
      throw BadRecords.outOfRange(column, shown);
    }
    return shortest.setScale(scale);
  }
}
