/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;

/** The records of one of Hadoop's file splits. */
final class SplitRecordReader
    extends org.apache.hadoop.mapreduce.RecordReader<BytesWritable, NullWritable> {
  private @Nullable HadoopSource source;
  private @Nullable RecordReader reader;
  private @Nullable BytesWritable key;
  private long start;
  private long length;
  private boolean through;

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
    FileSplit part = (FileSplit) split;
    Configuration configuration = context.getConfiguration();
    Path path = part.getPath();
    Compression compression = RecordFile.compressionOf(path.getName());
    ReadOptions options = TFRecordSettings.readOptions(configuration, compression);
    FileSystem fileSystem = path.getFileSystem(configuration);
    FileStatus status = fileSystem.getFileStatus(path);
    start = part.getStart();
    length = part.getLength();
    check(path, compression, status.getLen());
    source = HadoopSource.open(fileSystem, status);
    reader =
        compression == Compression.NONE
            ? RecordReader.open(source, start, start + length, options)
            : RecordReader.open(source, options);
  }

  private void check(Path path, Compression compression, long now) {
    if (start + length > now) {
      throw new TfosException(
          FileError.CHANGED,
          String.format(
              "%s was split with at least %d bytes and now has %d", path, start + length, now),
          "List the files again, and write new data to new files.");
    }
    if (compression != Compression.NONE && (start != 0 || length != now)) {
      throw RecordSplit.compressedSplit(path.toString(), compression, start, start + length, now);
    }
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    if (reader == null || !reader.next()) {
      key = null;
      through = true;
      return false;
    }
    int offset = reader.offset();
    // Spark's users keep keys, collect and cache them.
    key = new BytesWritable(Arrays.copyOfRange(reader.buffer(), offset, offset + reader.length()));
    return true;
  }

  @Override
  public @Nullable BytesWritable getCurrentKey() {
    return key;
  }

  @Override
  public NullWritable getCurrentValue() {
    return NullWritable.get();
  }

  /** What was read of the file; a reader is at most one buffer ahead. */
  @Override
  public float getProgress() {
    if (through || length == 0) {
      return 1;
    }
    long read = source == null ? 0 : source.position() - start;
    return Math.max(0, Math.min(1, read / (float) length));
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
    }
  }
}
