/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.records;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.tensorflowonspark.sql.rows.BadRecordException;
import org.tensorflowonspark.sql.rows.RecordType;
import org.tensorflowonspark.sql.rows.RowDecoder;
import org.tensorflowonspark.sql.rows.RowEncoder;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;
import org.tensorflowonspark.tfrecord.RecordSource;
import org.tensorflowonspark.tfrecord.RecordWriter;

/** Between files and Spark's rows, as the data source does it. */
final class RowFiles {
  private final Map<String, UnsafeRow[]> generated = new HashMap<>();

  /** Makes a row of each record; closes the source. */
  static long read(RecordSource source, List<Column> columns)
      throws IOException, BadRecordException {
    long records = 0;
    RowDecoder decoder = RowDecoder.of(Rows.schema(columns), RecordType.EXAMPLE);
    try (RecordReader reader = RecordReader.open(source, ReadOptions.of(Compression.NONE))) {
      while (reader.next()) {
        UnsafeRow row = decoder.decode(reader.buffer(), reader.offset(), reader.length());
        records += row.getSizeInBytes() > 0 ? 1 : 0;
      }
    }
    return records;
  }

  /** Writes so many rows to a file, by turns those of a batch; the clock leaves the making out. */
  Map<String, Number> write(Path file, String columns, long records) throws IOException {
    List<Column> parsed = Column.parse(columns);
    UnsafeRow[] rows = generated.computeIfAbsent(columns, key -> Rows.generate(parsed));
    Files.deleteIfExists(file);
    Requests.Clock start = new Requests.Clock();
    RowEncoder encoder = RowEncoder.of(Rows.schema(parsed), RecordType.EXAMPLE);
    try (OutputStream out = Files.newOutputStream(file);
        RecordWriter writer = RecordWriter.to(out, Compression.NONE)) {
      for (long record = 0; record < records; record++) {
        encoder.encode(rows[(int) (record % rows.length)]);
        writer.write(encoder.buffer(), encoder.offset(), encoder.length());
      }
    }
    return start.stop(records);
  }
}
