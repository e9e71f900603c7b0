/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.io.IOException;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.sql.execution.datasources.OutputWriter;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.types.StructType;

/** Makes the writers of one write. Made on the driver, called on executors. */
final class RecordFileWriterFactory extends OutputWriterFactory {
  private static final long serialVersionUID = 1L;

  private final StructType schema;
  private final TFRecordOptions options;

  RecordFileWriterFactory(StructType schema, TFRecordOptions options) {
    this.schema = schema;
    this.options = options;
  }

  @Override
  public String getFileExtension(TaskAttemptContext context) {
    return ".tfrecord" + options.writeCompression().extension();
  }

  @Override
  public OutputWriter newInstance(String path, StructType dataSchema, TaskAttemptContext context) {
    try {
      return RecordFileWriter.create(path, schema, options, context.getConfiguration());
    } catch (IOException e) {
      throw Scala.unchecked(e);
    }
  }
}
