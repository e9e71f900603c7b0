/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The wire format of protobuf: accepts and refuses what protobuf-java does. Methods that read a
 * value give it together with the place behind it, packed into a long, so that nothing is
 * allocated.
 */
final class Wire {
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle FLOAT =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

  /** The top bit of each byte: set in all bytes of a varint but its last. */
  static final long CONTINUATION = 0x8080_8080_8080_8080L;

  /** Tags of a first, second and third field with a length. */
  static final int FIELD_1 = 10;

  static final int FIELD_2 = 18;
  static final int FIELD_3 = 26;

  /** Tags of single values in lists that are not packed. */
  static final int UNPACKED_LONG = 8;

  static final int UNPACKED_FLOAT = 13;

  private static final int MAX_VARINT = 10;

  /** Messages and groups that may lie in one another. */
  private static final int MAX_DEPTH = 100;

  private Wire() {}

  static long pack(int next, int value) {
    return ((long) next << 32) | (value & 0xffff_ffffL);
  }

  /** The place behind what was read. */
  static int next(long packed) {
    return (int) (packed >>> 32);
  }

  /** What was read. */
  static int value(long packed) {
    return (int) packed;
  }

  /** Reads a varint, of which only the low 32 bits count, as for tags and lengths. */
  static long varint(byte[] b, int at, int end) throws MalformedExampleException {
    if (at < end) {
      int first = b[at];
      if (first >= 0) {
        return pack(at + 1, first);
      }
      if (at + 1 < end) {
        int second = b[at + 1];
        if (second >= 0) {
          return pack(at + 2, (second << 7) | (first & 0x7f));
        }
      }
    }
    return longVarint(b, at, end);
  }

  private static long longVarint(byte[] b, int at, int end) throws MalformedExampleException {
    int behind = skipVarint(b, at, end);
    int value = 0;
    for (int i = Math.min(behind, at + 5) - 1; i >= at; i--) {
      value = (value << 7) | (b[i] & 0x7f);
    }
    return pack(behind, value);
  }

  static int skipVarint(byte[] b, int at, int end) throws MalformedExampleException {
    int most = Math.min(end - at, MAX_VARINT);
    for (int i = 0; i < most; i++) {
      if (b[at + i] >= 0) {
        return at + i + 1;
      }
    }
    throw new MalformedExampleException(
        most == MAX_VARINT ? "a varint of more than 10 bytes" : "an end inside a varint");
  }

  static long tag(byte[] b, int at, int end) throws MalformedExampleException {
    long tag = varint(b, at, end);
    if (value(tag) >>> 3 == 0) {
      throw new MalformedExampleException("a field of number 0");
    }
    return tag;
  }

  /** Reads a length; gives where its bytes end as the value, and where they begin as the place. */
  static long span(byte[] b, int at, int end) throws MalformedExampleException {
    long length = varint(b, at, end);
    int start = next(length);
    int bytes = value(length);
    if (bytes < 0 || bytes > end - start) {
      throw new MalformedExampleException(
          "a length of " + bytes + " where " + (end - start) + " bytes are left");
    }
    return pack(start, start + bytes);
  }

  /** The place behind a length that reaches exactly to the end; -1 when it does not. */
  static int behindLength(byte[] b, int at, int end) {
    long length = shortLength(b, at, end);
    return length >= 0 && value(length) == end - next(length) ? next(length) : -1;
  }

  /** The place behind a length and its bytes; -1 when that is not before the end. */
  static int behindValue(byte[] b, int at, int end) {
    long length = shortLength(b, at, end);
    return length >= 0 && value(length) <= end - next(length) ? next(length) + value(length) : -1;
  }

  /** Reads a length of up to 4 bytes; negative for all else, right or wrong. */
  private static long shortLength(byte[] b, int from, int end) {
    int value = 0;
    int most = Math.min(end - from, 4);
    for (int i = 0; i < most; i++) {
      int next = b[from + i];
      value |= (next & 0x7f) << (7 * i);
      if (next >= 0) {
        return pack(from + i + 1, value);
      }
    }
    return -1;
  }

  /**
   * Passes over the rest of a field that is not known, which is checked nevertheless.
   *
   * @param depth messages and groups around the field
   * @return the place behind the field
   */
  static int skip(byte[] b, int tag, int at, int end, int depth) throws MalformedExampleException {
    return switch (tag & 7) {
      case 0 -> skipVarint(b, at, end);
      case 1 -> skipFixed(at, end, Long.BYTES);
      case 2 -> value(span(b, at, end));
      case 3 -> skipGroup(b, tag, at, end, depth);
      case 4 -> throw new MalformedExampleException("an end of a group that has no start");
      case 5 -> skipFixed(at, end, Integer.BYTES);
      default -> throw new MalformedExampleException("a field of wire type " + (tag & 7));
    };
  }

  static int skipFixed(int at, int end, int bytes) throws MalformedExampleException {
    if (end - at < bytes) {
      throw new MalformedExampleException("an end inside a value of " + bytes + " bytes");
    }
    return at + bytes;
  }

  private static int skipGroup(byte[] b, int start, int from, int end, int depth)
      throws MalformedExampleException {
    if (depth >= MAX_DEPTH) {
      throw new MalformedExampleException(
          "more than " + MAX_DEPTH + " messages and groups in one another");
    }
    int at = from;
    while (at < end) {
      long read = tag(b, at, end);
      int tag = value(read);
      if ((tag & 7) == 4) {
        if (tag != start + 1) {
          throw new MalformedExampleException("a group that ends as another one");
        }
        return next(read);
      }
      at = skip(b, tag, next(read), end, depth + 1);
    }
    throw new MalformedExampleException("an end inside a group");
  }

  /** Number of varints that fill the range; -1 when it ends inside one or one is too long. */
  static int countVarints(byte[] b, int from, int end) {
    if (end - from == 1) {
      return b[from] >= 0 ? 1 : -1;
    }
    int count = 0;
    int at = from;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      long last = ~(long) LONG.get(b, at) & CONTINUATION;
      if ((int) last == 0 || (int) (last >>> 32) == 0) {
        // Four bytes of one varint: it may be too long, which only a look at each byte can tell.
        return countLongVarints(b, from, end);
      }
      count += Long.bitCount(last);
    }
    // The bytes behind the last whole word, at most 7, cannot make a varint too long: at most 3
    // bytes before them belong to it, and the last one ends it.
    for (; at < end; at++) {
      count += b[at] >>> 31 ^ 1;
    }
    return end > from && b[end - 1] < 0 ? -1 : count;
  }

  private static int countLongVarints(byte[] b, int from, int end) {
    int count = 0;
    int start = from;
    for (int at = from; at < end; at++) {
      if (b[at] >= 0) {
        if (at - start >= MAX_VARINT) {
          return -1;
        }
        count++;
        start = at + 1;
      }
    }
    return start == end ? count : -1;
  }

  /** Reads a varint that is known to be well formed. */
  static long longAt(byte[] b, int from) {
    int at = from;
    long value = b[at] & 0x7f;
    for (int shift = 7; b[at] < 0; shift += 7) {
      at++;
      value |= (long) (b[at] & 0x7f) << shift;
    }
    return value;
  }

  /** Writes a varint of 32 bits; gives the place behind it. */
  static int putVarint(byte[] b, int at, int value) {
    int p = at;
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      b[p++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    b[p++] = (byte) rest;
    return p;
  }

  /** Writes a varint; gives the place behind it. */
  static int putVarint(byte[] b, int at, long value) {
    int p = at;
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      b[p++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    b[p++] = (byte) rest;
    return p;
  }

  /** Bytes of a varint. */
  static int sizeOf(long value) {
    return (640 - Long.numberOfLeadingZeros(value) * 9) >>> 6;
  }
}
