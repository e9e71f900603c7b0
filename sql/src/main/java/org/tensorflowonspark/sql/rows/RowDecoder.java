/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.tfrecord.example.ExampleReader;
import org.tensorflowonspark.tfrecord.example.MalformedExampleException;

/**
 * Decodes records into rows of Spark's own binary form, by one copy for most values. On executors,
 * one thread; reused for all records of a task. The package's description has the table of types.
 */
public final class RowDecoder {
  private final StructType schema;
  private final RecordType type;

  private final @Nullable Constants constants;

  /** Null for records that are taken as they are. */
  private final @Nullable ExampleReader reader;

  /** In the order of the reader's features. */
  private final ColumnDecoder[] columns;

  private final RowBuffer buffer;
  private final UnsafeRow row;

  private RowDecoder(StructType schema, RecordType type, @Nullable Constants constants) {
    this.schema = schema;
    this.type = type;
    this.constants = constants;
    int length = schema.length() + (constants == null ? 0 : constants.count());
    buffer = new RowBuffer(length);
    row = new UnsafeRow(length);
    if (type == RecordType.BYTE_ARRAY) {
      Column.bytesOrdinal(schema);
      reader = null;
      columns = new ColumnDecoder[0];
      return;
    }
    List<Column> known = Column.of(schema, type);
    List<String> names = known.stream().map(Column::name).toList();
    columns = known.stream().map(c -> new ColumnDecoder(c, buffer)).toArray(ColumnDecoder[]::new);
    reader =
        type == RecordType.EXAMPLE
            ? ExampleReader.ofExample(names)
            : ExampleReader.ofSequenceExample(names, names);
  }

  /**
   * A decoder of records of {@code type} into rows with the columns of {@code schema}, which are
   * the features of the same names; only these are looked at. For {@link RecordType#BYTE_ARRAY} the
   * schema is one binary column, or none.
   *
   * @throws org.tensorflowonspark.base.TfosException for a column of a type that no feature holds
   */
  public static RowDecoder of(StructType schema, RecordType type) {
    return new RowDecoder(schema, type, null);
  }

  /**
   * The same with {@code values} appended to every row, as the columns of {@code schema}; in place
   * of those that this decoder appends, if any.
   */
  public RowDecoder withConstants(StructType schema, InternalRow values) {
    return new RowDecoder(this.schema, type, new Constants(schema, values));
  }

  /**
   * Decodes one record.
   *
   * @return the row, valid until the next call
   * @throws BadRecordException when the record cannot be a row of the schema: names the feature
   */
  public UnsafeRow decode(byte[] bytes, int offset, int length) throws BadRecordException {
    buffer.begin();
    if (reader != null) {
      decode(reader, bytes, offset, length);
    } else if (schema.length() > 0) {
      buffer.putBytes(buffer.wordAt(0), 0, bytes, offset, length);
    }
    if (constants != null) {
      constants.append(buffer, schema.length());
    }
    row.pointTo(buffer.bytes(), buffer.cursor());
    return row;
  }

  private void decode(ExampleReader from, byte[] bytes, int offset, int length)
      throws BadRecordException {
    try {
      from.read(bytes, offset, length);
    } catch (MalformedExampleException e) {
      throw BadRecords.malformed(type, e);
    }
    if (type == RecordType.EXAMPLE) {
      for (int i = 0; i < columns.length; i++) {
        columns[i].decode(from.feature(i), buffer);
      }
    } else {
      for (int i = 0; i < columns.length; i++) {
        columns[i].decode(from.feature(i), from.featureList(i), buffer);
      }
    }
  }
}
