/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * The content of a gzip (RFC 1952) or zlib (RFC 1950) file. Unlike {@code GZIPInputStream} it takes
 * neither a pause of the source nor bytes that are no member for the end of the file, so nothing is
 * lost in silence. A file of no bytes has no content.
 */
final class InflatingInput implements PlainInput {
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int HEADER_CRC = 2;

  private final RecordSource source;
  private final boolean gzip;
  private final Inflater inflater;
  private final CRC32 crc = new CRC32();
  private final byte[] compressed = new byte[64 << 10];
  private final long fileLength;

  /** Where in the file the bytes behind {@link #limit} are. */
  private long filePosition;

  private int next;
  private int limit;
  private long memberBytes;
  private boolean insideMember;
  private boolean anyMember;
  private @Nullable CorruptStreamException failure;

  InflatingInput(RecordSource source, Compression compression) throws IOException {
    this.source = source;
    this.gzip = compression == Compression.GZIP;
    this.fileLength = source.length();
    this.inflater = new Inflater(gzip);
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    while (failure == null) {
      if (!insideMember && !beginMember()) {
        return -1;
      }
      int count = inflate(target, offset, length);
      if (count > 0) {
        if (gzip) {
          crc.update(target, offset, count);
          memberBytes += count;
        }
        return count;
      }
      if (failure != null) {
        break;
      }
      if (inflater.finished()) {
        endMember();
      } else if (inflater.needsDictionary()) {
        throw corrupt("the zlib stream wants a preset dictionary", null);
      } else if (!fill()) {
        throw new CorruptStreamException(
            RecordError.TRUNCATED,
            "the compressed content ends early, at byte " + filePosition + " of the file",
            null);
      } else {
        inflater.setInput(compressed, 0, limit);
      }
    }
    throw failure;
  }

  /** Inflates up to the damage if there is one; what lies before it is still good. */
  private int inflate(byte[] target, int offset, int length) {
    long before = inflater.getBytesWritten();
    try {
      return inflater.inflate(target, offset, length);
    } catch (DataFormatException e) {
      failure =
          corrupt(
              "the compressed content cannot be inflated"
                  + (e.getMessage() == null ? "" : ": " + e.getMessage()),
              e);
      return (int) (inflater.getBytesWritten() - before);
    }
  }

  /** Replaces what was read by more. */
  private boolean fill() throws IOException {
    int want = (int) Math.min(compressed.length, fileLength - filePosition);
    int count = want <= 0 ? -1 : source.read(filePosition, compressed, 0, want);
    next = 0;
    limit = Math.max(count, 0);
    filePosition += limit;
    return limit > 0;
  }

  private boolean beginMember() throws IOException {
    if (next == limit && !fill()) {
      return false;
    }
    if (anyMember && !gzip) {
      throw corrupt("something follows the end of the zlib stream", null);
    }
    if (gzip) {
      readHeader();
    }
    inflater.setInput(compressed, next, limit - next);
    insideMember = true;
    anyMember = true;
    return true;
  }

  private void readHeader() throws IOException {
    crc.reset();
    memberBytes = 0;
    if (headerByte() != 0x1f || headerByte() != 0x8b) {
      throw corrupt(
          anyMember ? "what follows the gzip content is no gzip" : "this is no gzip file", null);
    }
    int method = headerByte();
    int flags = headerByte();
    if (method != 8 || (flags & 0xe0) != 0) {
      throw corrupt("gzip method " + method + " with flags " + flags + " is unknown", null);
    }
    for (int i = 0; i < 6; i++) {
      headerByte();
    }
    if ((flags & EXTRA) != 0) {
      for (int left = headerByte() | headerByte() << 8; left > 0; left--) {
        headerByte();
      }
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    if ((flags & HEADER_CRC) != 0) {
      int expected = (int) crc.getValue() & 0xffff;
      int found = headerByte() | headerByte() << 8;
      if (expected != found) {
        throw corrupt("the gzip header does not match its checksum", null);
      }
    }
    crc.reset();
  }

  private void skipText() throws IOException {
    int read;
    do {
      read = headerByte();
    } while (read != 0);
  }

  /** A byte of a header, for its checksum too. */
  private int headerByte() throws IOException {
    int value = nextByte();
    crc.update(value);
    return value;
  }

  private int nextByte() throws IOException {
    if (next == limit && !fill()) {
      throw new CorruptStreamException(
          RecordError.TRUNCATED,
          "the file ends inside a gzip header or trailer, at byte " + filePosition,
          null);
    }
    return compressed[next++] & 0xff;
  }

  private void endMember() throws IOException {
    next = limit - inflater.getRemaining();
    insideMember = false;
    if (gzip) {
      long expectedCrc = crc.getValue();
      long foundCrc = nextInt();
      long foundBytes = nextInt();
      if (foundCrc != expectedCrc || foundBytes != (memberBytes & 0xffffffffL)) {
        throw corrupt("the gzip content does not match its checksum or length", null);
      }
      inflater.reset();
    }
  }

  private long nextInt() throws IOException {
    long value = 0;
    for (int shift = 0; shift < 32; shift += 8) {
      value |= (long) nextByte() << shift;
    }
    return value;
  }

  private CorruptStreamException corrupt(String reason, @Nullable Throwable cause) {
    return new CorruptStreamException(
        RecordError.CORRUPT_COMPRESSION,
        reason + " (before byte " + filePosition + " of the compressed file)",
        cause);
  }

  @Override
  public void close() {
    inflater.end();
  }
}
