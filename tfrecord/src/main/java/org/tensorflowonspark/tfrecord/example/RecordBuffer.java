/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.RecordError;

/**
 * A growing array into which a record is written from front to back. What stands before values are
 * their lengths, several in one another; they are written as short as they can be, as protobuf
 * does.
 */
final class RecordBuffer {
  /** What an array can hold, less the frame of a TFRecord. */
  static final int LIMIT = Integer.MAX_VALUE - 16;

  /** A tag of one byte and the longest length. */
  static final int HEADER = 6;

  /** Bytes between the name and the values of a feature whose lengths take one byte each. */
  private static final int SHORT_HEADER = 6;

  private byte[] bytes = new byte[1024];
  private int size;

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  /** Goes on writing at that place. */
  void resize(int newSize) {
    size = newSize;
  }

  /** Makes sure that {@code more} bytes can be written. */
  void room(long more) {
    if (more > bytes.length - size) {
      grow(more);
    }
  }

  private void grow(long more) {
    long needed = size + more;
    if (needed > LIMIT) {
      throw new TfosException(
          RecordError.RECORD_TOO_LARGE,
          "a record grows to at least " + needed + " bytes, but " + LIMIT + " are the most",
          "Write fewer or shorter values into one record, for example by splitting the row.");
    }
    bytes = Arrays.copyOf(bytes, (int) Math.max(needed, Math.min(bytes.length * 2L, LIMIT)));
  }

  /** Adds {@code length} bytes that somebody else will fill; gives where they begin. */
  int skip(int length) {
    int at = size;
    size += length;
    return at;
  }

  void putTagged(int tag, int value) {
    bytes[size++] = (byte) tag;
    size = Wire.putVarint(bytes, size, value);
  }

  void put(byte[] data, int from, int length) {
    System.arraycopy(data, from, bytes, size, length);
    size += length;
  }

  void putLongs(long[] values, int from, int count) {
    byte[] b = bytes;
    int at = size;
    for (int i = from; i < from + count; i++) {
      long value = values[i];
      if ((value & ~0x7fL) == 0) {
        b[at++] = (byte) value;
      } else {
        at = Wire.putVarint(b, at, value);
      }
    }
    size = at;
  }

  /** The fields with which the entries of these names begin. */
  static byte[][] keys(List<String> names, String what) {
    NameTable table = new NameTable(names, what);
    byte[][] keys = new byte[table.size()][];
    for (int i = 0; i < keys.length; i++) {
      byte[] name = table.name(i).getBytes(UTF_8);
      byte[] key = new byte[1 + Wire.sizeOf(name.length) + name.length];
      key[0] = Wire.FIELD_1;
      System.arraycopy(name, 0, key, Wire.putVarint(key, 1, name.length), name.length);
      keys[i] = key;
    }
    return keys;
  }

  /**
   * Bytes of what stands before a feature's list.
   *
   * @param key the key field of the feature's entry; null for a step, which is not an entry
   */
  static int headerSize(byte @Nullable [] key, long list) {
    int ofList = 1 + Wire.sizeOf(list);
    long feature = ofList + list;
    int ofFeature = 1 + Wire.sizeOf(feature) + ofList;
    if (key == null) {
      return ofFeature;
    }
    return 1 + Wire.sizeOf(key.length + ofFeature + list) + key.length + ofFeature;
  }

  /** Writes what stands before a feature's list, for which there is room. */
  void putHeader(byte @Nullable [] key, int kind, int list) {
    int feature = 1 + Wire.sizeOf(list) + list;
    if (key == null) {
      putTagged(Wire.FIELD_1, feature);
    } else {
      putTagged(Wire.FIELD_1, key.length + 1 + Wire.sizeOf(feature) + feature);
      put(key, 0, key.length);
      putTagged(Wire.FIELD_2, feature);
    }
    putTagged(kind, list);
  }

  /** Bytes of what stands before the steps of a feature list. */
  static int listHeaderSize(byte[] key, long steps) {
    int ofValue = 1 + Wire.sizeOf(steps);
    return 1 + Wire.sizeOf(key.length + ofValue + steps) + key.length + ofValue;
  }

  /** Writes what stands before the steps of a feature list, for which there is room. */
  void putListHeader(byte[] key, int steps) {
    putTagged(Wire.FIELD_1, key.length + 1 + Wire.sizeOf(steps) + steps);
    put(key, 0, key.length);
    putTagged(Wire.FIELD_2, steps);
  }

  /**
   * Writes what stands before a list of one packed run, or of one value of BYTES, which looks the
   * same, and makes room for that. Gives where it begins.
   */
  void putRunHeader(byte @Nullable [] key, int kind, long run) {
    if (key != null && key.length + SHORT_HEADER + run <= Byte.MAX_VALUE) {
      putShortRunHeader(key, kind, (int) run);
      return;
    }
    long list = 1 + Wire.sizeOf(run) + run;
    room(headerSize(key, list) + list);
    putHeader(key, kind, (int) list);
    putTagged(Wire.FIELD_1, (int) run);
  }

  /**
   * As {@link #putRunHeader} where each length takes one byte: what follows the name is one word.
   */
  private void putShortRunHeader(byte[] key, int kind, int run) {
    room(2L + key.length + Long.BYTES + run);
    byte[] b = bytes;
    int at = size;
    b[at] = Wire.FIELD_1;
    b[at + 1] = (byte) (key.length + SHORT_HEADER + run);
    System.arraycopy(key, 0, b, at + 2, key.length);
    at += 2 + key.length;
    long header =
        Wire.FIELD_2
            | ((4L + run) << 8)
            | ((long) kind << 16)
            | ((2L + run) << 24)
            | ((long) Wire.FIELD_1 << 32)
            | ((long) run << 40);
    Wire.LONG.set(b, at, header);
    size = at + SHORT_HEADER;
  }

  /** Writes a feature that has a list without values. */
  void putEmpty(byte @Nullable [] key, int kind) {
    room(headerSize(key, 0));
    putHeader(key, kind, 0);
  }

  /** Moves all from {@code from} on to {@code to}, as the gap before it turned out wrong. */
  void move(int from, int to) {
    if (from != to) {
      room(to - from);
      System.arraycopy(bytes, from, bytes, to, size - from);
      size += to - from;
    }
  }
}
