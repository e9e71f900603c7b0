/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.IOException;
import java.util.BitSet;
import java.util.zip.CRC32C;

/**
 * Finds records from any place of an uncompressed file. A place is taken for the beginning of a
 * record when its header matches its checksum, and so do the headers behind it to the end of the
 * file or over {@link #SPAN} bytes. A record may itself hold a TFRecord file: the records in there
 * are not taken for such of the file, since their chain breaks where the outer record ends.
 *
 * <p>Which place is found depends on the file and the place where the search begins alone, so
 * everybody finds the same. One thread.
 */
final class Resync {
  /** So far the headers behind a place have to be in order. */
  static final long SPAN = 1 << 20;

  private static final int WINDOW = 64 << 10;

  private final RecordSource source;
  private final long fileLength;
  private final int maxRecordLength;
  private final Frame frame = new Frame();
  private final byte[] window = new byte[WINDOW];
  private long windowStart;
  private int windowLength;

  /** Places, from {@link #rejectedFrom} on, whose chain is known to break. */
  private final BitSet rejected = new BitSet();

  private long rejectedFrom;

  /** Where the chain that was walked last broke. */
  private long brokeAt;

  Resync(RecordSource source, long fileLength, int maxRecordLength) {
    this.source = source;
    this.fileLength = fileLength;
    this.maxRecordLength = maxRecordLength;
  }

  /** The first record at or behind {@code start}; the length of the file when there is none. */
  long find(long start) throws IOException {
    begin(start);
    for (long place = start; place + Frame.OVERHEAD <= fileLength; place++) {
      if (recordLength(place) >= 0 && holds(place)) {
        return place;
      }
    }
    return fileLength;
  }

  /**
   * The first record behind a damaged header at {@code damaged}. Beside what {@link #find} takes, a
   * place is right for certain when the bytes between are data that match the checksum before the
   * place: then only the header was damaged. When no chain holds, the one that goes furthest counts.
   */
  long findBehind(long damaged) throws IOException {
    begin(damaged + 1);
    CRC32C data = new CRC32C();
    long summed = damaged + Frame.HEADER;
    long best = fileLength;
    long bestEnd = -1;
    for (long place = damaged + 1; place + Frame.OVERHEAD <= fileLength; place++) {
      if (recordLength(place) < 0) {
        continue;
      }
      if (place >= damaged + Frame.OVERHEAD) {
        sum(data, summed, place - Frame.FOOTER);
        summed = place - Frame.FOOTER;
        if (load(summed, Frame.FOOTER) >= Frame.FOOTER
            && Frame.mask((int) data.getValue())
                == Frame.readInt(window, (int) (summed - windowStart))) {
          return place;
        }
      }
      if (holds(place)) {
        return place;
      }
      if (brokeAt > bestEnd) {
        bestEnd = brokeAt;
        best = place;
      }
    }
    return best;
  }

  private void begin(long start) {
    rejected.clear();
    rejectedFrom = start;
  }

  /** Whether the headers from {@code place} on are in order as far as they have to be. */
  private boolean holds(long place) throws IOException {
    long at = place;
    long enough = place + SPAN;
    while (true) {
      if (at == fileLength) {
        return true;
      }
      if (isRejected(at)) {
        reject(place, at);
        return false;
      }
      long length = recordLength(at);
      if (length < 0) {
        brokeAt = at;
        reject(place, at);
        return false;
      }
      if (at >= enough) {
        return true;
      }
      at += Frame.OVERHEAD + length;
    }
  }

  private boolean isRejected(long place) {
    long bit = place - rejectedFrom;
    return bit <= 2 * SPAN && rejected.get((int) bit);
  }

  /** Remembers the places of a chain that breaks, so that none is walked twice. */
  private void reject(long from, long to) throws IOException {
    for (long at = from; at < to && at - rejectedFrom <= 2 * SPAN; ) {
      rejected.set((int) (at - rejectedFrom));
      at += Frame.OVERHEAD + recordLength(at);
    }
  }

  /** Length of the record whose header is at {@code place}; -1 when none can be there. */
  private long recordLength(long place) throws IOException {
    if (load(place, Frame.HEADER) < Frame.HEADER) {
      return -1;
    }
    int at = (int) (place - windowStart);
    long length = Frame.readLong(window, at);
    if (length < 0
        || length > maxRecordLength
        || length > fileLength - place - Frame.OVERHEAD
        || !frame.isHeader(window, at)) {
      return -1;
    }
    return length;
  }

  private void sum(CRC32C data, long from, long to) throws IOException {
    for (long at = from; at < to; ) {
      int count = (int) Math.min(load(at, 1), to - at);
      if (count <= 0) {
        return;
      }
      data.update(window, (int) (at - windowStart), count);
      at += count;
    }
  }

  /** Brings {@code place} into the window; tells how many bytes from there on are in it. */
  private int load(long place, int want) throws IOException {
    if (place < windowStart || place + want > windowStart + windowLength) {
      // A little of what lies before stays in reach, for the checksum in front of a place.
      windowStart = Math.max(0, place - Frame.OVERHEAD);
      windowLength = 0;
      int goal = (int) Math.min(WINDOW, fileLength - windowStart);
      while (windowLength < goal) {
        int read =
            source.read(windowStart + windowLength, window, windowLength, goal - windowLength);
        if (read <= 0) {
          break;
        }
        windowLength += read;
      }
    }
    return (int) (windowStart + windowLength - place);
  }
}
