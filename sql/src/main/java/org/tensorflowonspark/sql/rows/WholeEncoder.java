/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/** Whole numbers, and what Spark keeps as such. */
final class WholeEncoder extends ValueEncoder {
  private final Column.Value value;
  private long[] values = new long[16];

  WholeEncoder(Column.Value value) {
    this.value = value;
  }

  @Override
  void one(SpecializedGetters row, int ordinal, ExampleWriter out, int feature) {
    values[0] =
        switch (value) {
          case LONG -> row.getLong(ordinal);
          case INT -> row.getInt(ordinal);
          case SHORT -> row.getShort(ordinal);
          case BYTE -> row.getByte(ordinal);
          default -> row.getBoolean(ordinal) ? 1 : 0;
        };
    out.longs(feature, values, 0, 1);
  }

  @Override
  void all(ArrayData array, ExampleWriter out, int feature) {
    int count = array.numElements();
    if (values.length < count) {
      values = new long[count];
    }
    get(array, values, count);
    if (feature == NEXT_STEP) {
      out.stepLongs(values, 0, count);
    } else {
      out.longs(feature, values, 0, count);
    }
  }

  private void get(ArrayData from, long[] to, int count) {
    switch (value) {
      case LONG -> {
        for (int i = 0; i < count; i++) {
          to[i] = from.getLong(i);
        }
      }
      case INT -> {
        for (int i = 0; i < count; i++) {
          to[i] = from.getInt(i);
        }
      }
      case SHORT -> {
        for (int i = 0; i < count; i++) {
          to[i] = from.getShort(i);
        }
      }
      case BYTE -> {
        for (int i = 0; i < count; i++) {
          to[i] = from.getByte(i);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          to[i] = from.getBoolean(i) ? 1 : 0;
        }
      }
    }
  }
}
