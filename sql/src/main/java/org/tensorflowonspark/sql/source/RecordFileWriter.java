/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.OutputWriter;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.sql.hadoop.RecordOutput;
import org.tensorflowonspark.sql.rows.RowEncoder;
import org.tensorflowonspark.tfrecord.RecordWriter;

/**
 * Writes one file. On executors, one thread. Spark's commit protocol names the file and moves it to
 * its place when the task has succeeded.
 */
final class RecordFileWriter extends OutputWriter {
  private final String path;
  private final RowEncoder encoder;
  private final RecordWriter records;

  private RecordFileWriter(String path, RowEncoder encoder, RecordWriter records) {
    this.path = path;
    this.encoder = encoder;
    this.records = records;
  }

  static RecordFileWriter create(
      String path, StructType schema, TFRecordOptions options, Configuration configuration)
      throws IOException {
    RowEncoder encoder = options.encoder(schema);
    RecordWriter records =
        RecordOutput.create(configuration, new Path(path), options.writeCompression(), false);
    return new RecordFileWriter(path, encoder, records);
  }

  @Override
  public void write(InternalRow row) {
    try {
      encoder.encode(row);
      records.write(encoder.buffer(), encoder.offset(), encoder.length());
    } catch (TfosException e) {
      throw new TfosException(
          SourceError.ROW_NOT_WRITTEN,
          "Row " + records.records() + " of " + path + " cannot be written: " + e.getMessage(),
          "",
          e);
    } catch (IOException e) {
      throw Scala.unchecked(e);
    }
  }

  @Override
  public void close() {
    try {
      records.close();
    } catch (IOException e) {
      throw Scala.unchecked(e);
    }
  }

  @Override
  public String path() {
    return path;
  }
}
