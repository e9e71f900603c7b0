/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.BinaryType;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/** Writes the values of a column, one or many at a time. */
abstract class ValueEncoder {
  /** In place of a feature: the next step of the feature list that was begun. */
  static final int NEXT_STEP = -1;

  static ValueEncoder of(Column column, boolean exactNumbers) {
    return switch (column.value()) {
      case BOOLEAN, BYTE, SHORT, INT, LONG -> new WholeEncoder(column.value());
      case FLOAT -> new FloatEncoder();
      case DOUBLE, DECIMAL -> exactNumbers ? new TextEncoder(column) : new NarrowEncoder(column);
      case BYTES -> new BytesEncoder(column.valueType() instanceof BinaryType);
    };
  }

  /** Writes the value at {@code ordinal}, which is not null, as a feature. */
  abstract void one(SpecializedGetters row, int ordinal, ExampleWriter out, int feature);

  /** Writes all elements, none of which is null, as a feature or step. */
  abstract void all(ArrayData array, ExampleWriter out, int feature);
}
