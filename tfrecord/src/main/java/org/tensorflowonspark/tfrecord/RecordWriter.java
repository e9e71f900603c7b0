/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * Writes records to a stream, in large pieces. One thread; closing it completes the file and closes
 * the stream.
 *
 * <p>After a failure the stream is closed without an end: a compressed file is then seen to be cut,
 * a plain one may end between two records, so whoever offers it under its name has to know of the
 * failure.
 */
public final class RecordWriter implements Closeable {
  private static final int BUFFER = 128 << 10;

  private final OutputStream file;
  private final OutputStream out;

  /** Its native memory is ours to free; null without compression. */
  private final @Nullable Deflater deflater;

  private final Frame frame = new Frame();
  private final byte[] buffer = new byte[BUFFER];
  private int filled;
  private long records;
  private boolean failed;
  private boolean closed;

  private RecordWriter(OutputStream file, Compression compression) throws IOException {
    this.file = file;
    switch (compression) {
      case GZIP -> {
        Gzip gzip = new Gzip(file);
        deflater = gzip.deflater();
        out = gzip;
      }
      case ZLIB -> {
        deflater = new Deflater();
        out = new DeflaterOutputStream(file, deflater, 64 << 10);
      }
      default -> {
        deflater = null;
        out = file;
      }
    }
  }

  private static final class Gzip extends GZIPOutputStream {
    Gzip(OutputStream out) throws IOException {
      super(out, 64 << 10);
    }

    Deflater deflater() {
      return def;
    }
  }

  /** Writes to {@code out}, compressed as a whole. */
  public static RecordWriter to(OutputStream out, Compression compression) throws IOException {
    return new RecordWriter(out, compression);
  }

  /**
   * Writes one record.
   *
   * @throws TfosException when it is longer than any reader takes
   */
  public void write(byte[] data, int offset, int length) throws IOException {
    if (closed || failed) {
      throw new IOException(closed ? "The writer is closed" : "The writer has failed before");
    }
    if (length > ReadOptions.MAX_RECORD_LENGTH) {
      throw new TfosException(
          RecordError.RECORD_TOO_LARGE,
          "A record of " + length + " bytes is more than a record can have",
          "Split the row.");
    }
    Objects.checkFromIndexSize(offset, length, data.length);
    failed = true; // unless all of it goes well
    if (length > BUFFER - Frame.OVERHEAD - filled) {
      flush();
    }
    Frame.writeLong(buffer, filled, length);
    Frame.writeInt(buffer, filled + 8, frame.maskedCrc(buffer, filled, 8));
    int footer = frame.maskedCrc(data, offset, length);
    if (length <= BUFFER - Frame.OVERHEAD) {
      System.arraycopy(data, offset, buffer, filled + Frame.HEADER, length);
      filled += Frame.HEADER + length;
    } else {
      filled += Frame.HEADER;
      flush();
      out.write(data, offset, length);
    }
    Frame.writeInt(buffer, filled, footer);
    filled += Frame.FOOTER;
    records++;
    failed = false;
  }

  private void flush() throws IOException {
    if (filled > 0) {
      out.write(buffer, 0, filled);
      filled = 0;
    }
  }

  /** Records written so far. */
  public long records() {
    return records;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (file) {
      if (!failed) {
        failed = true;
        flush();
        if (out instanceof DeflaterOutputStream compressed) {
          compressed.finish();
        }
        failed = false;
      }
    } finally {
      if (deflater != null) {
        deflater.end();
      }
    }
  }
}
