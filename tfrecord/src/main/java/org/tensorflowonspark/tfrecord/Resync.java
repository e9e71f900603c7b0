/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.IOException;
import java.util.zip.CRC32C;

/**
 * Finds records from any place of an uncompressed file. A place is taken for the beginning of a
 * record when its header matches its checksum, and so do the headers behind it to the end of the
 * file or over {@link #SPAN} bytes. A record may itself hold a TFRecord file: the records in there
 * are not taken for such of the file, since their chain breaks where the outer record ends.
 *
 * <p>A place is never taken for want of a better one, lest data are given out as records: records
 * before damage are left to the reader that comes from the front. What can still be mistaken is an
 * inner file longer than {@link #SPAN}, or one whose record is cut just where an inner record ends;
 * a reader that comes from the front then finds the places differ.
 *
 * <p>Which place is found depends on the file and the place where the search begins alone, so
 * everybody finds the same. What is more, whether a place is taken by {@link #find} does not depend
 * on where the search began, so searches that begin later never find an earlier place. One thread.
 */
final class Resync {
  /** So far the headers behind a place have to be in order. */
  static final long SPAN = 1 << 20;

  /** So far beyond a place that its chain speaks for, a proof of a later one is looked for. */
  static final long PROOF_SPAN = 16 << 20;

  private final Headers headers;
  private final long fileLength;
  private final RejectedPlaces rejected = new RejectedPlaces(2 * SPAN);

  Resync(RecordSource source, long fileLength, int maxRecordLength) {
    this.headers = new Headers(source, fileLength, maxRecordLength);
    this.fileLength = fileLength;
  }

  /** The first record at or behind {@code start}; the length of the file when there is none. */
  long find(long start) throws IOException {
    rejected.clear(start);
    long place = headers.next(start, fileLength);
    while (place < fileLength && !holds(place)) {
      place = headers.next(place + 1, fileLength);
    }
    return place;
  }

  /**
   * The first record behind a damaged header at {@code damaged}. Beside what {@link #find} takes, a
   * place is right for certain when the bytes between are data that match the checksum before the
   * place: then only the header was damaged. That is also looked for a while behind a place whose
   * chain is in order, lest the records of a large TFRecord file in the damaged record are taken.
   */
  long findBehind(long damaged) throws IOException {
    rejected.clear(damaged + 1);
    Proof proof = new Proof(damaged + Frame.HEADER);
    long taken = -1;
    long until = fileLength;
    long place = headers.next(damaged + 1, until);
    while (place < until) {
      if (proof.of(place)) {
        return place;
      }
      if (taken < 0 && holds(place)) {
        taken = place;
        until = Math.min(fileLength, place + PROOF_SPAN);
      }
      place = headers.next(place + 1, until);
    }
    if (taken < 0 || (until == fileLength && proof.of(fileLength))) {
      return fileLength;
    }
    return taken;
  }

  /** Whether the headers from {@code place} on are in order as far as they have to be. */
  private boolean holds(long place) throws IOException {
    long at = place;
    while (at != fileLength) {
      long length = rejected.has(at) ? Headers.NONE : headers.length(at);
      if (length < 0) {
        reject(place, at);
        return false;
      }
      if (at - place >= SPAN) {
        return true;
      }
      at += Frame.OVERHEAD + length;
    }
    return true;
  }

  /** Remembers the places of a chain that breaks, so that none is walked twice. */
  private void reject(long from, long to) throws IOException {
    rejected.forgetBefore(from);
    for (long at = from; at < to; at += Frame.OVERHEAD + headers.length(at)) {
      rejected.add(at);
    }
  }

  /** Whether the bytes behind a damaged header are the data of a whole record. */
  private final class Proof {
    private final long dataStart;
    private final CRC32C crc = new CRC32C();
    private long summed;

    Proof(long dataStart) {
      this.dataStart = dataStart;
      this.summed = dataStart;
    }

    /** Whether they are if the next record begins at {@code place}; places come in order. */
    boolean of(long place) throws IOException {
      long footer = place - Frame.FOOTER;
      if (footer < dataStart) {
        return false;
      }
      headers.sum(crc, summed, footer);
      summed = footer;
      return headers.isFooter(footer, Frame.mask((int) crc.getValue()));
    }
  }
}
