/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigDecimal;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.DecimalType;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/** Doubles and decimals as text that gives the same number back. Makes objects for each value. */
final class TextEncoder extends ElementsEncoder {
  private final int precision;
  private final int scale;

  TextEncoder(Column column) {
    DecimalType type = column.valueType() instanceof DecimalType decimal ? decimal : null;
    precision = type == null ? 0 : type.precision();
    scale = type == null ? 0 : type.scale();
  }

  @Override
  void put(SpecializedGetters from, int ordinal, ExampleWriter out) {
    String text;
    if (precision == 0) {
      text = Double.toString(from.getDouble(ordinal));
    } else {
      BigDecimal value = from.getDecimal(ordinal, precision, scale).toJavaBigDecimal();
      text = value.toPlainString();
    }
    byte[] bytes = text.getBytes(US_ASCII);
    out.bytes(bytes, 0, bytes.length);
  }
}
