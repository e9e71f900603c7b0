/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import org.jspecify.annotations.Nullable;

/**
 * How a file is read. Immutable.
 *
 * @param compression how the whole file is compressed
 * @param checkCrc whether the data of records is checked; lengths always are
 * @param maxRecordLength longest record that is taken for one, in bytes
 * @param damageListener hears of damage and lets the reader go on behind it; null: damage is an
 *     error
 */
public record ReadOptions(
    Compression compression,
    boolean checkCrc,
    int maxRecordLength,
    @Nullable DamageListener damageListener) {

  /** Longest record unless set: 1 GiB. */
  public static final int DEFAULT_MAX_RECORD_LENGTH = 1 << 30;

  /** Longest that can be: an array has to hold the record and its frame. */
  public static final int MAX_RECORD_LENGTH = Integer.MAX_VALUE - 64;

  /** Checks the longest record. */
  public ReadOptions {
    if (maxRecordLength < 0 || maxRecordLength > MAX_RECORD_LENGTH) {
      throw new IllegalArgumentException("maxRecordLength " + maxRecordLength);
    }
  }

  /** Everything checked, damage is an error. */
  public static ReadOptions of(Compression compression) {
    return new ReadOptions(compression, true, DEFAULT_MAX_RECORD_LENGTH, null);
  }

  /** The same with or without a check of the data. */
  public ReadOptions withCheckCrc(boolean check) {
    return new ReadOptions(compression, check, maxRecordLength, damageListener);
  }

  /** The same with another longest record. */
  public ReadOptions withMaxRecordLength(int bytes) {
    return new ReadOptions(compression, checkCrc, bytes, damageListener);
  }

  /** The same, going on behind damage. */
  public ReadOptions tolerating(DamageListener listener) {
    return new ReadOptions(compression, checkCrc, maxRecordLength, listener);
  }
}
