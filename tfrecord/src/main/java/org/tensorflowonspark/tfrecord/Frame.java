/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The frame around a record: length (8 bytes), masked CRC32C of the length (4), data, masked CRC32C
 * of the data (4), all little-endian. As in TensorFlow's {@code lib/io/record_writer.h}.
 */
final class Frame {
  /** Bytes before the data. */
  static final int HEADER = 12;

  /** Bytes behind the data. */
  static final int FOOTER = 4;

  static final int OVERHEAD = HEADER + FOOTER;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final CRC32C crc = new CRC32C();

  static long readLong(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  static int readInt(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  static void writeLong(byte[] bytes, int at, long value) {
    LONG.set(bytes, at, value);
  }

  static void writeInt(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }

  /** TensorFlow's mask, so that the checksum of data that holds checksums is not trivial. */
  static int mask(int crc) {
    return Integer.rotateRight(crc, 15) + 0xa282ead8;
  }

  int maskedCrc(byte[] bytes, int offset, int length) {
    crc.reset();
    crc.update(bytes, offset, length);
    return mask((int) crc.getValue());
  }

  /** Whether the length at {@code at} matches its checksum behind it. */
  boolean isHeader(byte[] bytes, int at) {
    return maskedCrc(bytes, at, Long.BYTES) == readInt(bytes, at + Long.BYTES);
  }
}
