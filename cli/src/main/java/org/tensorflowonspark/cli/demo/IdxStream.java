/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cli.console.CliError;

/** One IDX file being read, which knows where it is. */
final class IdxStream implements AutoCloseable {
  private static final int CHUNK = 1 << 16;

  private final Path file;
  private final InputStream in;
  private long offset;

  private IdxStream(Path file, InputStream in) {
    this.file = file;
    this.in = in;
  }

  static IdxStream open(Path file) {
    try {
      InputStream raw = new BufferedInputStream(Files.newInputStream(file), CHUNK);
      raw.mark(2);
      boolean gzip = raw.read() == 0x1f && raw.read() == 0x8b; // by content, whatever the name
      raw.reset();
      try {
        return new IdxStream(file, gzip ? new GZIPInputStream(raw, CHUNK) : raw);
      } catch (EOFException | ZipException e) {
        raw.close();
        throw corrupt(file, 0, "the gzip header is damaged", e);
      }
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  long offset() {
    return offset;
  }

  void expectMagic(int magic, String kind) {
    int found = readInt("magic number");
    if (found != magic) {
      String text = String.format("magic number 0x%08x is not 0x%08x", found, magic);
      throw corrupt(0, text + ", so these are no IDX " + kind, null);
    }
  }

  int readSize(String what, int most) {
    long at = offset;
    int value = readInt(what);
    if (value < 1 || value > most) {
      throw corrupt(at, what + " is " + Integer.toUnsignedString(value), null);
    }
    return value;
  }

  private int readInt(String what) {
    byte[] four = read(Integer.BYTES);
    if (four.length < Integer.BYTES) {
      throw corrupt(offset, "the file ends within the " + what, null);
    }
    return ByteBuffer.wrap(four).getInt();
  }

  /** Exactly {@code size} bytes, which must be the last. Never takes more memory than the file. */
  byte[] readRest(long size) {
    long expectedEnd = offset + size;
    if (size > Integer.MAX_VALUE - 8) {
      throw corrupt(offset, "the header promises " + size + " bytes", null);
    }
    byte[] bytes = read((int) size);
    if (bytes.length < size) {
      throw corrupt(
          offset, "the file ends, " + (expectedEnd - offset) + " bytes are missing", null);
    }
    if (read(1).length > 0) {
      throw corrupt(expectedEnd, "there are bytes after the end", null);
    }
    return bytes;
  }

  private byte[] read(int size) {
    try {
      byte[] bytes = in.readNBytes(size);
      offset += bytes.length;
      return bytes;
    } catch (EOFException | ZipException e) {
      throw corrupt(offset, "the gzip data after this byte is damaged or cut", e);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  TfosException corrupt(long at, String problem, @Nullable Exception cause) {
    return corrupt(file, at, problem, cause);
  }

  private static TfosException corrupt(
      Path file, long at, String problem, @Nullable Exception cause) {
    return new TfosException(
        CliError.DATA_CORRUPT,
        file.toAbsolutePath() + " at byte " + at + ": " + problem,
        "Get the file again.",
        cause);
  }

  private static TfosException unreadable(Path file, IOException e) {
    return new TfosException(
        CliError.DATA_MISSING,
        "Cannot read " + file.toAbsolutePath() + ": " + e.getMessage(),
        "Check that the file may be read.",
        e);
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }
}
