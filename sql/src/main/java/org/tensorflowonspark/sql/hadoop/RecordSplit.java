/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;

/**
 * A part of a file; it owns the records whose headers begin in {@code [start, end)}.
 *
 * @param file the file
 * @param start first byte
 * @param end byte behind the last
 */
public record RecordSplit(RecordFile file, long start, long end) implements Serializable {

  /** Checks the borders. */
  public RecordSplit {
    if (start < 0 || end < start || end > file.length()) {
      throw new IllegalArgumentException(
          "No part of " + file.length() + " bytes: " + start + " to " + end);
    }
    if (file.compression() != Compression.NONE && (start > 0 || end < file.length())) {
      throw compressedSplit(file.path(), file.compression(), start, end, file.length());
    }
  }

  /** Bytes of the part. */
  public long length() {
    return end - start;
  }

  /**
   * Opens it; the caller closes the reader. {@code options} say nothing of compression.
   *
   * @throws TfosException when the file has vanished or changed since it was listed
   */
  public RecordReader open(Configuration configuration, ReadOptions options) throws IOException {
    Path path = new Path(file.path());
    FileSystem fileSystem = path.getFileSystem(configuration);
    try {
      FileStatus status = fileSystem.getFileStatus(path);
      check(status);
      return open(HadoopSource.open(fileSystem, status), options);
    } catch (FileNotFoundException e) {
      throw new TfosException(
          FileError.NOT_FOUND,
          file.path() + " was listed with " + file.length() + " bytes and is gone",
          "List the files again, and do not remove files that are being read.",
          e);
    }
  }

  private RecordReader open(HadoopSource source, ReadOptions options) throws IOException {
    ReadOptions ours =
        new ReadOptions(
            file.compression(),
            options.checkCrc(),
            options.maxRecordLength(),
            options.damageListener());
    return file.compression() == Compression.NONE
        ? RecordReader.open(source, start, end, ours)
        : RecordReader.open(source, ours);
  }

  private void check(FileStatus status) {
    if (status.getLen() != file.length()
        || status.getModificationTime() != file.modificationTime()) {
      throw new TfosException(
          FileError.CHANGED,
          String.format(
              "%s has changed since it was listed: %d bytes of %tFT%<tT.%<tL, now %d bytes of"
                  + " %tFT%<tT.%<tL",
              file.path(),
              file.length(),
              file.modificationTime(),
              status.getLen(),
              status.getModificationTime()),
          "List the files again, and write new data to new files.");
    }
  }

  static TfosException compressedSplit(
      String path, Compression compression, long start, long end, long length) {
    return new TfosException(
        FileError.COMPRESSED_SPLIT,
        String.format(
            "%s is compressed (%s) and cannot be read from byte %d to %d of %d",
            path, compression, start, end, length),
        "Read it whole, or write it without compression.");
  }
}
