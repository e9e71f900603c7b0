/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;

/**
 * Numbers of names by their UTF-8 bytes, looked up in place without making strings. Names of up to
 * 16 bytes are told apart by their first and their last 8 bytes.
 */
final class NameTable {
  private static final int MAX_GUESSES = 1000;

  private int size;
  private byte[][] bytes = new byte[8][];
  private String[] strings = new String[8];
  private long[] heads = new long[8];
  private long[] tails = new long[8];

  /** Numbers plus 1; 0 where nothing is. At most half full. */
  private int[] slots = new int[16];

  private int shift = 64 - 4;

  /**
   * What came at each position of the record before: head, tail, and length with the index. Most
   * records have the same names in the same order.
   */
  private long[] guesses = {};

  NameTable() {}

  NameTable(List<String> names, String what) {
    for (String name : names) {
      byte[] utf8 = name.getBytes(UTF_8);
      if (!new String(utf8, UTF_8).equals(name)) {
        throw new IllegalArgumentException("the name of a " + what + " is not Unicode: " + name);
      }
      if (find(utf8, 0, utf8.length) >= 0) {
        throw new IllegalArgumentException("there are two " + what + "s of name " + name);
      }
      add(utf8);
    }
  }

  int size() {
    return size;
  }

  String name(int index) {
    return strings[index];
  }

  /** The number of the name that takes these bytes; -1 when there is none. */
  int find(byte[] b, int from, int to) {
    return find(b, from, to, head(b, from, to), tail(b, from, to));
  }

  /** As {@link #find(byte[], int, int)}, for a name that is number {@code position} of a record. */
  int find(byte[] b, int from, int to, int position) {
    long head = head(b, from, to);
    long tail = tail(b, from, to);
    int guess = 3 * position;
    long[] before = guesses;
    if (guess < before.length && before[guess] == head && before[guess + 1] == tail) {
      int index = (int) before[guess + 2];
      int length = (int) (before[guess + 2] >>> 32);
      if (length == to - from && (length <= 2 * Long.BYTES || isMiddle(index, b, from))) {
        return index;
      }
    }
    int index = find(b, from, to, head, tail);
    if (position < MAX_GUESSES) {
      guess(guess, head, tail, Wire.pack(to - from, index));
    }
    return index;
  }

  private void guess(int at, long head, long tail, long lengthAndIndex) {
    int places = guesses.length;
    if (at >= places) {
      guesses = Arrays.copyOf(guesses, at * 2 + 3);
      Arrays.fill(guesses, places, guesses.length, -1);
    }
    guesses[at] = head;
    guesses[at + 1] = tail;
    guesses[at + 2] = lengthAndIndex;
  }

  private int find(byte[] b, int from, int to, long head, long tail) {
    int[] table = slots;
    for (int slot = hash(b, from, to, head, tail); ; slot++) {
      int index = table[slot & (table.length - 1)] - 1;
      if (index < 0) {
        return -1;
      }
      if (heads[index] == head
          && tails[index] == tail
          && bytes[index].length == to - from
          && (to - from <= 2 * Long.BYTES || isMiddle(index, b, from))) {
        return index;
      }
    }
  }

  /** Adds a name that is not in the table; its number is the number of names before. */
  int add(byte[] utf8) {
    int index = size++;
    if (index == bytes.length) {
      grow();
    }
    bytes[index] = utf8;
    strings[index] = new String(utf8, UTF_8);
    heads[index] = head(utf8, 0, utf8.length);
    tails[index] = tail(utf8, 0, utf8.length);
    // What was no name may be one now.
    Arrays.fill(guesses, -1);
    enter(index);
    return index;
  }

  private void grow() {
    int places = size * 2;
    bytes = Arrays.copyOf(bytes, places);
    strings = Arrays.copyOf(strings, places);
    heads = Arrays.copyOf(heads, places);
    tails = Arrays.copyOf(tails, places);
    shift = Long.numberOfLeadingZeros(places) + 1 - 2;
    slots = new int[1 << (64 - shift)];
    for (int i = 0; i < size - 1; i++) {
      enter(i);
    }
  }

  private void enter(int index) {
    byte[] name = bytes[index];
    int slot = hash(name, 0, name.length, heads[index], tails[index]);
    while (slots[slot & (slots.length - 1)] != 0) {
      slot++;
    }
    slots[slot & (slots.length - 1)] = index + 1;
  }

  private int hash(byte[] b, int from, int to, long head, long tail) {
    long hash = ((head * 0x9e37_79b9_7f4a_7c15L) ^ tail) * 0xc2b2_ae3d_27d4_eb4fL + (to - from);
    for (int at = from + Long.BYTES; at < to - Long.BYTES; at += Long.BYTES) {
      hash = (Long.rotateLeft(hash, 29) ^ (long) Wire.LONG.get(b, at)) * 0x9e37_79b9_7f4a_7c15L;
    }
    return (int) (((hash ^ (hash >>> 32)) * 0x9e37_79b9_7f4a_7c15L) >>> shift);
  }

  private static long head(byte[] b, int from, int to) {
    int length = to - from;
    if (length >= Long.BYTES) {
      return (long) Wire.LONG.get(b, from);
    }
    if (b.length - from >= Long.BYTES) {
      return (long) Wire.LONG.get(b, from) & ((1L << (8 * length)) - 1);
    }
    long head = 0;
    for (int i = to - 1; i >= from; i--) {
      head = (head << 8) | (b[i] & 0xff);
    }
    return head;
  }

  private static long tail(byte[] b, int from, int to) {
    return to - from > Long.BYTES ? (long) Wire.LONG.get(b, to - Long.BYTES) : 0;
  }

  /** Compares what lies between head and tail of names of the same length. */
  private boolean isMiddle(int index, byte[] b, int from) {
    if (index < 0) {
      return false;
    }
    byte[] name = bytes[index];
    for (int i = Long.BYTES; i < name.length - Long.BYTES; i += Long.BYTES) {
      if ((long) Wire.LONG.get(name, i) != (long) Wire.LONG.get(b, from + i)) {
        return false;
      }
    }
    return true;
  }
}
