/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** A file of this machine. */
public final class FileSource implements RecordSource {
  /** The JDK reads by way of native memory as large as the read. */
  private static final int LARGEST_READ = 1 << 20;

  private final String name;

  /** Reads into arrays with less ado than a channel, which would copy by way of a buffer. */
  private final RandomAccessFile file;

  private final long length;
  private long position;

  private FileSource(String name, RandomAccessFile file, long length) {
    this.name = name;
    this.file = file;
    this.length = length;
  }

  /** Opens {@code path}; the caller closes it, or whatever it is handed to. */
  public static FileSource open(Path path) throws IOException {
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "r");
    try {
      return new FileSource(path.toString(), file, file.length());
    } catch (IOException e) {
      try {
        file.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
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
  public int read(long from, byte[] target, int offset, int count) throws IOException {
    if (from != position) {
      file.seek(from);
      position = from;
    }
    int read = file.read(target, offset, Math.min(count, LARGEST_READ));
    position += Math.max(read, 0);
    return read;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
