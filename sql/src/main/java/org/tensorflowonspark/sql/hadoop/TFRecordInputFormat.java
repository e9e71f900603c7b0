/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.tensorflowonspark.tfrecord.Compression;

/**
 * TFRecord files as records of bytes, for {@code SparkContext.newAPIHadoopFile} and MapReduce. The
 * key is the record, the value nothing, as in {@code tensorflow-hadoop}; each key is an object of
 * its own that holds exactly the record, so that it may be kept. Plain files are split, those named
 * {@code .gz}, {@code .zlib} or {@code .deflate} are read whole.
 *
 * <p>Hadoop calls it on the driver to list and split files, and on executors to read.
 */
public final class TFRecordInputFormat extends FileInputFormat<BytesWritable, NullWritable> {

  /** Configuration key: false leaves the data of records unchecked; their lengths always are. */
  public static final String CHECK_CRC = "tfos.tfrecord.checkCrc";

  /** Configuration key: longest record that is taken for one, in bytes. */
  public static final String MAX_RECORD_LENGTH = "tfos.tfrecord.maxRecordLength";

  /** Sets {@link #CHECK_CRC}. */
  public static void setCheckCrc(Job job, boolean check) {
    job.getConfiguration().setBoolean(CHECK_CRC, check);
  }

  /** Sets {@link #MAX_RECORD_LENGTH}. */
  public static void setMaxRecordLength(Job job, int bytes) {
    job.getConfiguration().setInt(MAX_RECORD_LENGTH, bytes);
  }

  @Override
  protected boolean isSplitable(JobContext context, Path file) {
    return RecordFile.compressionOf(file.getName()) == Compression.NONE;
  }

  @Override
  public RecordReader<BytesWritable, NullWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) throws IOException {
    return new SplitRecordReader();
  }
}
