/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Numbers that are written as text because a float cannot hold them. */
final class NumberText {

  /** Longer than any double or decimal; parsing takes time that grows with the square. */
  private static final int MAX_LENGTH = 1100;

  private NumberText() {}

  static String text(Column column, byte[] bytes, int start, int length) throws BadRecordException {
    if (length > MAX_LENGTH) {
      throw BadRecords.noNumber(column, length + " bytes");
    }
    return new String(bytes, start, length, ISO_8859_1);
  }

  static double toDouble(Column column, String text) throws BadRecordException {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw BadRecords.noNumber(column, "'" + text + "'");
    }
  }

  static BigDecimal toDecimal(Column column, String text) throws BadRecordException {
    try {
      return new BigDecimal(text.trim());
    } catch (NumberFormatException e) {
      throw BadRecords.noNumber(column, "'" + text + "'");
    }
  }

  /** The decimal of that scale which is nearest to the shortest text of a float. */
  static BigDecimal rounded(float value, int scale) {
    return new BigDecimal(Float.toString(value)).setScale(scale, RoundingMode.HALF_UP);
  }
}
