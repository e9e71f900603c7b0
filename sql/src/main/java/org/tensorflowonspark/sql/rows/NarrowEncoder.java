/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.Platform;
import org.tensorflowonspark.base.TfosException;

/** Doubles and decimals as the nearest floats. */
final class NarrowEncoder extends FloatsEncoder {
  private final Column column;
  private final int precision;
  private final int scale;
  private double[] doubles = new double[16];

  NarrowEncoder(Column column) {
    this.column = column;
    DecimalType type = column.valueType() instanceof DecimalType decimal ? decimal : null;
    precision = type == null ? 0 : type.precision();
    scale = type == null ? 0 : type.scale();
  }

  @Override
  float get(SpecializedGetters from, int ordinal) {
    if (precision > 0) {
      return from.getDecimal(ordinal, precision, scale).toJavaBigDecimal().floatValue();
    }
    double value = from.getDouble(ordinal);
    float nearest = (float) value;
    check(value, nearest);
    return nearest;
  }

  /** Two plain loops, which the JVM makes fast. */
  @Override
  void get(ArrayData from, float[] to, int count) {
    if (precision > 0 || !(from instanceof UnsafeArrayData unsafe)) {
      super.get(from, to, count);
      return;
    }
    if (doubles.length < count) {
      doubles = new double[count];
    }
    double[] given = doubles;
    Platform.copyMemory(
        unsafe.getBaseObject(),
        unsafe.getBaseOffset() + UnsafeArrayData.calculateHeaderPortionInBytes((long) count),
        given,
        Platform.DOUBLE_ARRAY_OFFSET,
        (long) count * Double.BYTES);
    for (int i = 0; i < count; i++) {
      to[i] = (float) given[i];
    }
    for (int i = 0; i < count; i++) {
      check(given[i], to[i]);
    }
  }

  private void check(double value, float nearest) {
    if (Float.isInfinite(nearest) && !Double.isInfinite(value)) {
      throw tooLarge(value);
    }
  }

  private TfosException tooLarge(double value) {
    return new TfosException(
        RowError.OUT_OF_RANGE,
        "Column '" + column.name() + "' holds " + value + ", which no float can hold",
        "Write with the option doubles=exact, or scale the column.");
  }
}
