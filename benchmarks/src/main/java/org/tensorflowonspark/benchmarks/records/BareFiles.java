/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.records;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The limits: records to and from a file with no work but the file itself, the checksum of all data
 * and one copy of it.
 */
final class BareFiles {
  private static final int PIECE = 256 << 10;
  private static final int HEADER = 12;
  private static final int FOOTER = 4;

  private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();

  /** Reads all records, each copied to a place of its own in a batch; gives their number. */
  long read(Path file, byte[] batch) throws IOException {
    long records = 0;
    int at = 0;
    try (FileChannel channel = FileChannel.open(file)) {
      piece.clear().limit(0);
      while (fill(channel)) {
        int length = (int) piece.getLong(piece.position());
        while (piece.remaining() < HEADER + length + FOOTER && fill(channel)) {
          // Not yet there as a whole.
        }
        int data = piece.position() + HEADER;
        if (masked(piece.duplicate().position(data).limit(data + length))
            != piece.getInt(data + length)) {
          throw new IOException("A wrong checksum in record " + records + " of " + file);
        }
        at = at + length > batch.length ? 0 : at;
        piece.get(data, batch, at, length);
        at += length;
        piece.position(data + length + FOOTER);
        records++;
      }
    }
    return records;
  }

  /** Reads on unless a good part is there still; false when nothing is left. */
  private boolean fill(FileChannel channel) throws IOException {
    if (piece.remaining() < PIECE / 8) {
      piece.compact();
      int unused = channel.read(piece);
      piece.flip();
    }
    return piece.hasRemaining();
  }

  /** Writes records that hold {@code data}, {@code length} bytes each, by turns. */
  void write(Path file, byte[] data, int length, long records) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      piece.clear();
      int at = 0;
      for (long record = 0; record < records; record++) {
        if (piece.remaining() < HEADER + length + FOOTER) {
          drain(channel);
        }
        int header = piece.position();
        piece.putLong(length);
        piece.putInt(masked(piece.duplicate().position(header).limit(header + 8)));
        int start = piece.position();
        at = at + length > data.length ? 0 : at;
        piece.put(data, at, length);
        at += length;
        piece.putInt(masked(piece.duplicate().position(start).limit(start + length)));
      }
      drain(channel);
    }
  }

  private void drain(FileChannel channel) throws IOException {
    piece.flip();
    while (piece.hasRemaining()) {
      int unused = channel.write(piece);
    }
    piece.clear();
  }

  private int masked(ByteBuffer data) {
    crc.reset();
    crc.update(data);
    int value = (int) crc.getValue();
    return ((value >>> 15) | (value << 17)) + 0xa282ead8;
  }
}
