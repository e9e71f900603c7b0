/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/** Values that are the same in all rows, in Spark's binary form. */
final class Constants {
  private final int count;
  private final long[] words;
  private final boolean[] isNull;

  /** Whether a word says where a value lies; it then depends on what lies before. */
  private final boolean[] isPlace;

  /** What lies behind the words. */
  private final byte[] values;

  private final int start;

  Constants(StructType schema, InternalRow row) {
    count = schema.length();
    UnsafeRow form = UnsafeProjection.create(schema).apply(row);
    words = new long[count];
    isNull = new boolean[count];
    isPlace = new boolean[count];
    for (int i = 0; i < count; i++) {
      words[i] = form.getLong(i);
      isNull[i] = form.isNullAt(i);
      isPlace[i] = words[i] != 0 && !UnsafeRow.isFixedLength(schema.fields()[i].dataType());
    }
    byte[] all = form.getBytes();
    start = UnsafeRow.calculateBitSetWidthInBytes(count) + count * Long.BYTES;
    values = Arrays.copyOfRange(all, start, all.length);
  }

  int count() {
    return count;
  }

  /** Appends them to a row, as its columns from {@code ordinal} on. */
  void append(RowBuffer row, int ordinal) throws BadRecordException {
    int at = row.reserve(values.length);
    System.arraycopy(values, 0, row.bytes(), at, values.length);
    long moved = (long) (at - start) << 32;
    for (int i = 0; i < count; i++) {
      if (isNull[i]) {
        row.setNull(ordinal + i);
      }
      row.putLong(row.wordAt(ordinal + i), isPlace[i] ? words[i] + moved : words[i]);
    }
  }
}
