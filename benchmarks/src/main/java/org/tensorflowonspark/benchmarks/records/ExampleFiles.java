/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.records;

import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.zip.CRC32;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;
import org.tensorflowonspark.tfrecord.RecordSource;

/** From files to columns. */
final class ExampleFiles {
  private ExampleFiles() {}

  /** Reads all records, batch after batch into the same columns; closes the source. */
  static long read(RecordSource source, List<Column> columns, IntConsumer onBatch)
      throws Exception {
    long records = 0;
    int row = 0;
    ColumnReader examples = new ColumnReader(columns);
    try (RecordReader reader = RecordReader.open(source, ReadOptions.of(Compression.NONE))) {
      while (reader.next()) {
        examples.read(reader.buffer(), reader.offset(), reader.length(), row);
        records++;
        if (++row == Column.BATCH) {
          onBatch.accept(row);
          row = 0;
        }
      }
    }
    onBatch.accept(row);
    return records;
  }

  /** Number of records and checksum of all columns. */
  static Map<String, Number> check(RecordSource source, List<Column> columns) throws Exception {
    CRC32 crc = new CRC32();
    long records = read(source, columns, rows -> hash(crc, columns, rows));
    return Map.of("records", records, "hash", crc.getValue());
  }

  /** The checksum that so many generated records must have. */
  static long expected(List<Column> columns, long records) {
    CRC32 crc = new CRC32();
    columns.forEach(Column::generate);
    for (long left = records; left > 0; left -= Column.BATCH) {
      hash(crc, columns, (int) Math.min(left, Column.BATCH));
    }
    return crc.getValue();
  }

  private static void hash(CRC32 crc, List<Column> columns, int rows) {
    if (rows > 0) {
      columns.forEach(column -> column.hash(crc, rows));
    }
  }
}
