/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.IOException;
import java.util.zip.CRC32C;

/** Looks at any place of an uncompressed file for the header of a record. One thread. */
final class Headers {
  /** No record is there. */
  static final long NONE = -1;

  private static final int WINDOW = 64 << 10;

  /** What is read where a chain has gone far, so that chains of long records cost little. */
  private static final int GLIMPSE = 4 << 10;

  private static final byte[] NOTHING = {};

  private final RecordSource source;
  private final long fileLength;
  private final int maxRecordLength;
  private final Frame frame = new Frame();

  /** Allocated when it is needed: most files are read whole and are sound. */
  private byte[] window = NOTHING;

  private long windowStart;
  private int windowLength;

  Headers(RecordSource source, long fileLength, int maxRecordLength) {
    this.source = source;
    this.fileLength = fileLength;
    this.maxRecordLength = maxRecordLength;
  }

  /** Length of the record at {@code place}; {@link #NONE} when it is not one that is whole. */
  long length(long place) throws IOException {
    if (place > fileLength - Frame.HEADER || load(place, Frame.HEADER) < Frame.HEADER) {
      return NONE;
    }
    return lengthInWindow((int) (place - windowStart));
  }

  /** The first place in {@code [from, to)} where a whole record begins; {@code to} if none. */
  long next(long from, long to) throws IOException {
    long last = Math.min(to, fileLength - Frame.HEADER + 1);
    for (long place = from; place < last; ) {
      if (load(place, Frame.HEADER) < Frame.HEADER) {
        return to;
      }
      int at = (int) (place - windowStart);
      int end = (int) Math.min(windowLength - Frame.HEADER + 1, last - windowStart);
      for (; at < end; at++) {
        if (lengthInWindow(at) != NONE) {
          return windowStart + at;
        }
      }
      place = windowStart + end;
    }
    return to;
  }

  private long lengthInWindow(int at) {
    long length = Frame.readLong(window, at);
    if (length < 0
        || length > maxRecordLength
        || length > fileLength - (windowStart + at) - Frame.OVERHEAD
        || !frame.isHeader(window, at)) {
      return NONE;
    }
    return length;
  }

  /** Whether a masked checksum is at {@code place}. */
  boolean isFooter(long place, int checksum) throws IOException {
    return load(place, Frame.FOOTER) >= Frame.FOOTER
        && Frame.readInt(window, (int) (place - windowStart)) == checksum;
  }

  /** Adds {@code [from, to)} to {@code crc}. */
  void sum(CRC32C crc, long from, long to) throws IOException {
    for (long at = from; at < to; ) {
      int count = (int) Math.min(load(at, 1), to - at);
      if (count <= 0) {
        return;
      }
      crc.update(window, (int) (at - windowStart), count);
      at += count;
    }
  }

  /**
   * Brings {@code place} into the window.
   *
   * @return how many bytes from there on are in it, fewer than wanted only at the end of the file
   */
  private int load(long place, int want) throws IOException {
    long windowEnd = windowStart + windowLength;
    if (place < windowStart || place + want > windowEnd) {
      if (window.length == 0) {
        window = new byte[(int) Math.min(WINDOW, Math.max(fileLength, 64))];
      }
      boolean far = windowLength > 0 && place > windowEnd + WINDOW;
      windowStart = place;
      windowLength = 0;
      int goal = (int) Math.min(far ? GLIMPSE : window.length, fileLength - place);
      while (windowLength < goal) {
        int read = source.read(place + windowLength, window, windowLength, goal - windowLength);
        if (read <= 0) {
          break;
        }
        windowLength += read;
      }
    }
    return (int) (windowStart + windowLength - place);
  }
}
