/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/**
 * Encodes rows as records. On executors, one thread; reused for all rows of a task. The package's
 * description has the table of types.
 */
public final class RowEncoder {
  /** Null for records that are taken as they are. */
  private final @Nullable ExampleWriter writer;

  private final ColumnEncoder[] columns;

  private byte[] bytes = new byte[0];

  private RowEncoder(StructType schema, RecordType type, boolean exactNumbers) {
    if (type == RecordType.BYTE_ARRAY) {
      if (Column.bytesOrdinal(schema) < 0) {
        throw new TfosException(
            RowError.UNSUPPORTED_TYPE,
            "Records of type ByteArray are one column of type binary, and there is none",
            "Select a binary column.");
      }
      writer = null;
      columns = new ColumnEncoder[0];
      return;
    }
    List<Column> known = Column.of(schema, type);
    List<String> names = known.stream().map(Column::name).toList();
    columns =
        known.stream().map(c -> ColumnEncoder.of(c, exactNumbers)).toArray(ColumnEncoder[]::new);
    writer =
        type == RecordType.EXAMPLE
            ? ExampleWriter.ofExample(names)
            : ExampleWriter.ofSequenceExample(names, names);
  }

  /**
   * An encoder of rows of {@code schema} as records of {@code type}; doubles and decimals become
   * floats.
   *
   * @throws TfosException for a column that no feature can hold
   */
  public static RowEncoder of(StructType schema, RecordType type) {
    return new RowEncoder(schema, type, false);
  }

  /** As {@link #of}, but doubles and decimals become text, which loses nothing. */
  public static RowEncoder withExactNumbers(StructType schema, RecordType type) {
    return new RowEncoder(schema, type, true);
  }

  /**
   * Encodes one row; the result is in {@link #buffer} until the next call.
   *
   * @throws TfosException for a value that cannot be written: names the column
   */
  public void encode(InternalRow row) {
    ExampleWriter target = writer;
    if (target == null) {
      if (row.isNullAt(0)) {
        throw new TfosException(
            RowError.NULL_VALUE,
            "A null in the column of a record of type ByteArray",
            "Filter rows with nulls out before writing.");
      }
      bytes = row.getBinary(0);
      return;
    }
    target.begin();
    for (int i = 0; i < columns.length; i++) {
      columns[i].encode(row, target, i);
    }
    target.finish();
  }

  /** The array that holds the record. */
  public byte[] buffer() {
    return writer == null ? bytes : writer.buffer();
  }

  /** Where the record begins. */
  public int offset() {
    return writer == null ? 0 : writer.offset();
  }

  /** Bytes of the record. */
  public int length() {
    return writer == null ? bytes.length : writer.length();
  }
}
