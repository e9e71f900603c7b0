/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.apache.spark.util.LongAccumulator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflowonspark.base.ErrorCode;
import org.tensorflowonspark.sql.rows.BadRecordException;
import org.tensorflowonspark.tfrecord.Damage;
import org.tensorflowonspark.tfrecord.RecordReader;

/** What becomes of the damage and the malformed records of one file. One thread. */
final class BadRecords {
  private static final Logger LOG = LoggerFactory.getLogger(BadRecords.class);

  /** Damage that may wait to become rows; a file can be damaged in every record. */
  static final int MOST_WAITING = 10_000;

  private final ReadMode mode;
  private final boolean keepBytes;
  private final @Nullable LongAccumulator counter;
  private final Queue<Bad> waiting = new ArrayDeque<>();
  private @Nullable String first;
  private long count;

  /** How many there were beyond those that wait, and the last of them. */
  private long more;

  private String last = "";

  /**
   * Something that is no row.
   *
   * @param text file, byte and reason
   * @param record the record's bytes, when it is one and they are wanted
   */
  record Bad(String text, byte @Nullable [] record) {}

  BadRecords(ReadMode mode, boolean keepBytes, @Nullable LongAccumulator counter) {
    this.mode = mode;
    this.keepBytes = keepBytes;
    this.counter = counter;
  }

  /** The next one that shall be a row of nulls. */
  @Nullable Bad poll() {
    Bad next = waiting.poll();
    if (next == null && more > 0) {
      next = new Bad("and " + more + " more up to " + last, null);
      more = 0;
    }
    return next;
  }

  boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** Takes note of a stretch of the file that the reader passed over. */
  void onDamage(Damage damage) {
    note(text(damage.error(), damage.file(), damage.offset(), damage.reason()), null);
  }

  /** Takes note of the record that {@code reader} is at; or fails because of it. */
  void onRecord(RecordReader reader, BadRecordException e) {
    if (mode == ReadMode.FAILFAST) {
      throw e.at(reader.file(), reader.position());
    }
    byte[] record = null;
    if (keepBytes) {
      int from = reader.offset();
      record = Arrays.copyOfRange(reader.buffer(), from, from + reader.length());
    }
    note(text(e.error(), reader.file(), reader.position(), e.getMessage()), record);
  }

  private void note(String text, byte @Nullable [] record) {
    count++;
    if (first == null) {
      first = text;
    }
    if (mode == ReadMode.PERMISSIVE && waiting.size() == MOST_WAITING) {
      more++;
      last = text;
    } else if (mode == ReadMode.PERMISSIVE) {
      waiting.add(new Bad(text, record));
    } else if (counter != null) {
      counter.add(1);
    }
  }

  /** Tells the log what was left out of {@code file}. */
  void report(String file) {
    if (count > 0 && mode == ReadMode.DROPMALFORMED) {
      LOG.warn("Dropped {} malformed records or damaged parts of {}, first {}", count, file, first);
    }
  }

  private static String text(ErrorCode error, String file, long position, @Nullable String reason) {
    return "[" + error.code() + "] " + file + " at byte " + position + ": " + reason;
  }
}
