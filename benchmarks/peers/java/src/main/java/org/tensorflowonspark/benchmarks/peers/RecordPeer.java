/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.peers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.zip.CRC32;
import org.tensorflow.hadoop.util.TFRecordReader;
import org.tensorflow.hadoop.util.TFRecordWriter;
import org.tensorflowonspark.benchmarks.records.Column;
import org.tensorflowonspark.benchmarks.records.Requests;

/**
 * TFRecord files as spark-tfrecord reads and writes them: tensorflow-hadoop for the records, with
 * checksums, and protobuf-java for the Examples; without Hadoop's file system, which would only
 * slow it. A process that answers requests:
 *
 * <pre>
 * check FILE COLUMNS          number of records and checksum of all columns
 * read FILE COLUMNS PASSES    from the file to columns of primitives
 * write FILE COLUMNS ROWS     from such columns to the file
 * </pre>
 */
public final class RecordPeer {
  private static final int BUFFER = 1 << 20;

  private RecordPeer() {}

  public static void main(String[] args) throws Exception {
    Requests.serve(
        Map.of(
            "tensorflow-hadoop", "1.15.0",
            "protobuf-java", "3.25.5",
            "java", Runtime.version().toString()),
        RecordPeer::answer);
  }

  private static Map<String, Number> answer(String[] words) throws IOException {
    String file = words[1];
    List<Column> columns = Column.parse(words[2]);
    int count = words.length > 3 ? Integer.parseInt(words[3]) : 1;
    switch (words[0]) {
      case "check":
        CRC32 crc = new CRC32();
        long checked = read(file, columns, rows -> columns.forEach(c -> c.hash(crc, rows)));
        return Map.of("records", checked, "hash", crc.getValue());
      case "read":
        long records = 0;
        Requests.Clock start = new Requests.Clock();
        for (int pass = 0; pass < count; pass++) {
          records += read(file, columns, rows -> {});
        }
        return start.stop(records);
      case "write":
        columns.forEach(Column::generate);
        Files.deleteIfExists(Path.of(file));
        Requests.Clock before = new Requests.Clock();
        write(file, columns, count);
        return before.stop(count);
      default:
        throw new IllegalArgumentException("No request: " + words[0]);
    }
  }

  private static long read(String file, List<Column> columns, IntConsumer onBatch)
      throws IOException {
    long records = 0;
    int row = 0;
    try (InputStream in = new BufferedInputStream(new FileInputStream(file), BUFFER)) {
      TFRecordReader reader = new TFRecordReader(in, true);
      for (byte[] record = reader.read(); record != null; record = reader.read()) {
        Examples.read(record, columns, row);
        records++;
        if (++row == Column.BATCH) {
          onBatch.accept(row);
          row = 0;
        }
      }
    }
    if (row > 0) {
      onBatch.accept(row);
    }
    return records;
  }

  private static void write(String file, List<Column> columns, long records) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(new FileOutputStream(file), BUFFER))) {
      TFRecordWriter writer = new TFRecordWriter(out);
      for (long record = 0; record < records; record++) {
        writer.write(Examples.write(columns, (int) (record % Column.BATCH)));
      }
    }
  }
}
