/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import java.util.Arrays;

/**
 * What entries looked like in the record before, by their position: all bytes up to the values, so
 * tags, lengths and the name. Most records of a file are built alike, and an entry that begins with
 * the same bytes needs no look at any of them.
 */
final class EntryShapes {
  /** No shape fits. */
  static final int NONE = -1;

  /** The entry's values are not wanted. */
  static final int UNWANTED = -1;

  /** Bytes that are compared at most; an entry with more before its values has no shape. */
  private static final int MAX_PREFIX = 32;

  private static final int MAX_POSITIONS = 1000;

  /** Longs of a shape: four words of bytes, masks of the last three, and two packed pairs. */
  private static final int STRIDE = 9;

  private static final int MASKS = 4;
  private static final int LENGTHS = 7;
  private static final int MEANING = 8;

  /** So often a position may change its shape before it is asked whether that pays. */
  private static final int TRIED = 100;

  /** An entry read by its shape saves about a third of what learning one costs. */
  private static final int PAYS = 3;

  private long[] shapes = {};

  /** By position: how often its shape fitted, and how often it was learned. */
  private int[] fitted = {};

  private int[] learned = {};

  /**
   * The place of the shape that the entry at {@code at} has, given that it is number {@code
   * position} of its record; {@link #NONE} when it has another form than the one before.
   */
  int fit(byte[] b, int at, int position) {
    int shape = position * STRIDE;
    if (shape >= shapes.length || at > b.length - MAX_PREFIX) {
      return NONE;
    }
    long[] s = shapes;
    long differs =
        ((long) Wire.LONG.get(b, at) ^ s[shape])
            | (((long) Wire.LONG.get(b, at + 8) ^ s[shape + 1]) & s[shape + MASKS])
            | (((long) Wire.LONG.get(b, at + 16) ^ s[shape + 2]) & s[shape + MASKS + 1])
            | (((long) Wire.LONG.get(b, at + 24) ^ s[shape + 3]) & s[shape + MASKS + 2]);
    if (differs != 0 || s[shape + LENGTHS] == 0) {
      return NONE;
    }
    fitted[position]++;
    return shape;
  }

  /** Bytes of an entry of that shape. */
  int entryLength(int shape) {
    return Wire.next(shapes[shape + LENGTHS]);
  }

  /** Bytes before its values. */
  int prefixLength(int shape) {
    return Wire.value(shapes[shape + LENGTHS]);
  }

  /** The number of its name, or {@link #UNWANTED}. */
  int index(int shape) {
    return Wire.value(shapes[shape + MEANING]);
  }

  /** Number of floats; -1 where values are INT64. */
  int floats(int shape) {
    return Wire.next(shapes[shape + MEANING]);
  }

  /**
   * Remembers an entry for the next record.
   *
   * @param values where its values begin, or its Feature when nobody wants them
   * @param floats number of floats, -1 for INT64
   */
  void learn(byte[] b, int at, int values, int end, int position, int index, int floats) {
    int prefix = values - at;
    if (prefix > MAX_PREFIX
        || prefix < Long.BYTES
        || position >= MAX_POSITIONS
        || at > b.length - MAX_PREFIX) {
      return;
    }
    if (position >= learned.length) {
      grow(position * 2 + 1);
    }
    int shape = position * STRIDE;
    if (learned[position] > TRIED && learned[position] > fitted[position] / PAYS) {
      shapes[shape + LENGTHS] = 0;
      return;
    }
    learned[position]++;
    shapes[shape] = (long) Wire.LONG.get(b, at);
    for (int word = 1; word < MASKS; word++) {
      int bytes = Math.max(0, Math.min(Long.BYTES, prefix - word * Long.BYTES));
      long mask = bytes == Long.BYTES ? -1 : (1L << (Byte.SIZE * bytes)) - 1;
      shapes[shape + word] = (long) Wire.LONG.get(b, at + word * Long.BYTES);
      shapes[shape + MASKS + word - 1] = mask;
    }
    shapes[shape + LENGTHS] = Wire.pack(end - at, prefix);
    shapes[shape + MEANING] = Wire.pack(floats, index);
  }

  private void grow(int positions) {
    shapes = Arrays.copyOf(shapes, positions * STRIDE);
    fitted = Arrays.copyOf(fitted, positions);
    learned = Arrays.copyOf(learned, positions);
  }
}
