/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.DeflateCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.Compression;

/**
 * Records of bytes to TFRecord files, for {@code JavaPairRDD.saveAsNewAPIHadoopFile} and MapReduce:
 * the key is the record, the value nothing. Files get their names when the job's committer moves
 * them, so that those of a task that died are never read.
 *
 * <p>Hadoop calls it on the driver to check the output, and on executors to write.
 */
public final class TFRecordOutputFormat extends FileOutputFormat<BytesWritable, NullWritable> {

  /**
   * Configuration key: none, gzip or zlib. Without it Hadoop's own {@code
   * mapreduce.output.fileoutputformat.compress} and {@code .codec} count.
   */
  public static final String COMPRESSION = "tfos.tfrecord.compression";

  /** Sets {@link #COMPRESSION}. */
  public static void setCompression(Job job, Compression compression) {
    job.getConfiguration().set(COMPRESSION, compression.name().toLowerCase(Locale.ROOT));
  }

  @Override
  public void checkOutputSpecs(JobContext job) throws IOException {
    compression(job);
    super.checkOutputSpecs(job);
  }

  @Override
  public RecordWriter<BytesWritable, NullWritable> getRecordWriter(TaskAttemptContext context)
      throws IOException {
    Compression compression = compression(context);
    Path file = getDefaultWorkFile(context, ".tfrecord" + compression.extension());
    return new KeyWriter(RecordOutput.create(context.getConfiguration(), file, compression, false));
  }

  static Compression compression(JobContext job) {
    String named =
        TFRecordSettings.resolve(job.getConfiguration()).get(TFRecordSettings.COMPRESSION);
    if (!named.isEmpty()) {
      return TFRecordSettings.compression(named);
    }
    if (!getCompressOutput(job)) {
      return Compression.NONE;
    }
    Class<? extends CompressionCodec> codec = getOutputCompressorClass(job, DefaultCodec.class);
    if (GzipCodec.class.isAssignableFrom(codec)) {
      return Compression.GZIP;
    }
    if (codec == DefaultCodec.class || codec == DeflateCodec.class) {
      return Compression.ZLIB;
    }
    throw new TfosException(
        FileError.FOREIGN_COMPRESSION,
        "TensorFlow could not read what " + codec.getName() + " compresses",
        "Take GzipCodec or DefaultCodec (zlib), or set " + COMPRESSION + ".");
  }

  private static final class KeyWriter extends RecordWriter<BytesWritable, NullWritable> {
    private final org.tensorflowonspark.tfrecord.RecordWriter writer;

    KeyWriter(org.tensorflowonspark.tfrecord.RecordWriter writer) {
      this.writer = writer;
    }

    @Override
    public void write(BytesWritable key, NullWritable value) throws IOException {
      writer.write(key.getBytes(), 0, key.getLength());
    }

    @Override
    public void close(TaskAttemptContext context) throws IOException {
      writer.close();
    }
  }
}
