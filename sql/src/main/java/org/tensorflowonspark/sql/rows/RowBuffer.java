/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * The bytes of one row in Spark's binary form, the same to the last byte of padding that Spark's
 * own projections make, since Spark compares and groups rows by their bytes. A row begins at 0.
 */
final class RowBuffer {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
  private static final VarHandle DOUBLES =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.nativeOrder());

  /** Records are little-endian; rows are as the machine is. */
  static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  /** The longest array that every JVM makes, in whole words. */
  private static final int MAX_BYTES = Integer.MAX_VALUE - 15 & -8;

  private final int columns;
  private final int nullBytes;
  private byte[] bytes;
  private int cursor;

  private long[] longs = new long[16];
  private float[] floats = new float[16];
  private int[] starts = new int[16];
  private int[] lengths = new int[16];

  RowBuffer(int columns) {
    this.columns = columns;
    nullBytes = UnsafeRow.calculateBitSetWidthInBytes(columns);
    bytes = new byte[Math.max(64, wordAt(columns) * 2)];
  }

  /** Begins a row of which no column is null. */
  void begin() {
    cursor = wordAt(columns);
    for (int at = 0; at < nullBytes; at += Long.BYTES) {
      putLong(at, 0);
    }
  }

  byte[] bytes() {
    return bytes;
  }

  /** Where the next value of no fixed length will lie; the size of the row in the end. */
  int cursor() {
    return cursor;
  }

  /** Where the word of a column lies. */
  int wordAt(int ordinal) {
    return nullBytes + ordinal * Long.BYTES;
  }

  void setNull(int ordinal) {
    int at = (ordinal >> 6) * Long.BYTES;
    putLong(at, (long) LONGS.get(bytes, at) | 1L << ordinal);
    putLong(wordAt(ordinal), 0);
  }

  /**
   * Takes the next bytes, in whole words, of which the last one is cleared.
   *
   * @return where they begin
   * @throws BadRecordException beyond what an array of bytes can be
   */
  int reserve(long length) throws BadRecordException {
    int at = cursor;
    long end = at + (length + 7 & -8L);
    if (end > bytes.length) {
      grow(end);
    }
    if (end > at) {
      putLong((int) end - Long.BYTES, 0);
    }
    cursor = (int) end;
    return at;
  }

  private void grow(long end) throws BadRecordException {
    if (end > MAX_BYTES) {
      throw BadRecords.tooLong(end);
    }
    bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, end + (end >> 1) + 7 & -8L));
  }

  /** Begins an array without nulls. */
  int beginArray(int count, int elementSize) throws BadRecordException {
    long header = UnsafeArrayData.calculateHeaderPortionInBytes((long) count);
    int at = reserve(header + (long) count * elementSize);
    putLong(at, count);
    for (int word = Long.BYTES; word < header; word += Long.BYTES) {
      putLong(at + word, 0);
    }
    return at;
  }

  /** Where the elements of an array lie that begins there. */
  static int elementsAt(int array, int count) {
    return array + UnsafeArrayData.calculateHeaderPortionInBytes(count);
  }

  /** Says in a word where a value lies, from {@code base} on. */
  void putPlace(int word, int base, int at, int length) {
    putLong(word, ((long) (at - base) << 32) | length);
  }

  /** Puts bytes behind all others, and their place into a word. */
  void putBytes(int word, int base, byte[] from, int start, int length) throws BadRecordException {
    int at = reserve(length);
    System.arraycopy(from, start, bytes, at, length);
    putPlace(word, base, at, length);
  }

  void putLong(int at, long value) {
    LONGS.set(bytes, at, value);
  }

  void putLongs(int at, long[] values, int count) {
    Platform.copyMemory(
        values,
        Platform.LONG_ARRAY_OFFSET,
        bytes,
        Platform.BYTE_ARRAY_OFFSET + at,
        (long) count * Long.BYTES);
  }

  void putInt(int at, int value) {
    INTS.set(bytes, at, value);
  }

  void putShort(int at, short value) {
    SHORTS.set(bytes, at, value);
  }

  void putByte(int at, byte value) {
    bytes[at] = value;
  }

  void putDouble(int at, double value) {
    DOUBLES.set(bytes, at, value);
  }

  /** Room for values on their way, kept from record to record. */
  long[] longs(int count) {
    if (count > longs.length) {
      longs = new long[room(count)];
    }
    return longs;
  }

  float[] floats(int count) {
    if (count > floats.length) {
      floats = new float[room(count)];
    }
    return floats;
  }

  int[] starts(int count) {
    if (count > starts.length) {
      starts = new int[room(count)];
      lengths = new int[room(count)];
    }
    return starts;
  }

  /** To be asked for after {@link #starts}. */
  int[] lengths() {
    return lengths;
  }

  private static int room(int count) {
    return (int) Math.min(MAX_BYTES, count * 3L / 2);
  }
}
