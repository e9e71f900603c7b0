/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.RecordSource;

/**
 * A file of any Hadoop file system. Attempts that fail are repeated as the file system's client
 * does it; what it gives up on is an error that names the file.
 */
public final class HadoopSource implements RecordSource {
  private final String name;
  private final long length;
  private final FSDataInputStream in;
  private long position;

  private HadoopSource(String name, long length, FSDataInputStream in) {
    this.name = name;
    this.length = length;
    this.in = in;
  }

  /**
   * Opens {@code path}.
   *
   * @param length length of the file where it is known, else -1: it is asked for
   * @throws TfosException for a file that is still being written, where the file system tells
   */
  public static HadoopSource open(Configuration configuration, Path path, long length)
      throws IOException {
    FileSystem fileSystem = path.getFileSystem(configuration);
    return open(fileSystem, path, length, length < 0 ? fileSystem.getFileStatus(path) : null);
  }

  static HadoopSource open(FileSystem fileSystem, FileStatus status) throws IOException {
    return open(fileSystem, status.getPath(), status.getLen(), status);
  }

  private static HadoopSource open(
      FileSystem fileSystem, Path path, long length, @Nullable FileStatus status)
      throws IOException {
    Path full = fileSystem.makeQualified(path);
    // Object stores save a request when they are told the length.
    FutureDataInputStreamBuilder builder =
        fileSystem.openFile(full).opt(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY, "sequential");
    if (status == null) {
      builder.optLong(OpenFileOptions.FS_OPTION_OPENFILE_LENGTH, length);
    } else {
      builder.withFileStatus(status);
    }
    FSDataInputStream in = FutureIO.awaitFuture(builder.build());
    try {
      if (fileSystem instanceof LeaseRecoverable leases && !leases.isFileClosed(full)) {
        throw stillWritten(full.toString());
      }
    } catch (IOException | RuntimeException e) {
      close(in, e);
      throw e;
    }
    return new HadoopSource(full.toString(), status == null ? length : status.getLen(), in);
  }

  static void close(Closeable in, Exception why) {
    try {
      in.close();
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  static TfosException stillWritten(String name) {
    return new TfosException(
        FileError.STILL_WRITTEN,
        name + " is still being written, or its writer died before closing it",
        "Wait for the writer, or remove the file; hdfs debug recoverLease ends a dead writer's"
            + " lease.");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public int read(long position, byte[] target, int offset, int length) throws IOException {
    if (position >= this.length) {
      return -1;
    }
    try {
      if (position != this.position) {
        in.seek(position);
        this.position = position;
      }
      // A file that grows is read as it was when opened.
      int count = in.read(target, offset, (int) Math.min(length, this.length - position));
      if (count > 0) {
        this.position += count;
      }
      return count;
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "Cannot read " + name + " at byte " + position + ": " + e.getMessage(), e);
    }
  }

  /** Byte behind the last one read. */
  long position() {
    return position;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
