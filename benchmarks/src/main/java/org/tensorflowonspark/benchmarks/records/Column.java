/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.records;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The values of one feature in a batch of rows, as primitives. Written as {@code name:kind:width}
 * with the kinds {@code float}, {@code long} and {@code bytes}; {@code bytes} are one value of that
 * many bytes.
 */
public final class Column {
  /** Rows of a batch. */
  public static final int BATCH = 1024;

  /** What a column holds. */
  public enum Kind {
    FLOAT,
    LONG,
    BYTES
  }

  public final String name;
  public final Kind kind;
  public final int width;

  /** Of FLOAT: {@code width} values a row. */
  public final float[] floats;

  /** Of LONG: {@code width} values a row. */
  public final long[] longs;

  /** Of BYTES: the values of all rows, one behind the other. */
  public final byte[] bytes;

  /** Of BYTES: row i begins at place i and ends at place i + 1. */
  public final int[] ends;

  private Column(String name, Kind kind, int width) {
    this.name = name;
    this.kind = kind;
    this.width = width;
    floats = new float[kind == Kind.FLOAT ? BATCH * width : 0];
    longs = new long[kind == Kind.LONG ? BATCH * width : 0];
    bytes = new byte[kind == Kind.BYTES ? BATCH * width : 0];
    ends = new int[kind == Kind.BYTES ? BATCH + 1 : 0];
  }

  /** Columns written one after the other with commas between. */
  public static List<Column> parse(String text) {
    List<Column> columns = new ArrayList<>();
    for (String column : text.split(",", -1)) {
      String[] parts = column.split(":", -1);
      Kind kind =
          switch (parts[1]) {
            case "float" -> Kind.FLOAT;
            case "long" -> Kind.LONG;
            case "bytes" -> Kind.BYTES;
            default -> throw new IllegalArgumentException("No kind of column: " + column);
          };
      columns.add(new Column(parts[0], kind, Integer.parseInt(parts[2])));
    }
    return columns;
  }

  /** Fills the batch with the values that all sides agree on. */
  public void generate() {
    int seed = (name.hashCode() & 0xff) * 17;
    for (int row = 0; row < BATCH; row++) {
      for (int i = 0; i < width; i++) {
        int value = (row * 31 + seed + i * 7) % 251;
        switch (kind) {
          case FLOAT -> floats[row * width + i] = value;
          case LONG -> longs[row * width + i] = whole(value, name.hashCode() & 0xf);
          case BYTES -> bytes[row * width + i] = (byte) value;
        }
      }
      if (kind == Kind.BYTES) {
        ends[row + 1] = (row + 1) * width;
      }
    }
  }

  /** Takes one to six bytes as a varint; some columns are negative. */
  private static long whole(int value, int which) {
    return which == 15 ? -value - 1L : (long) value << (which % 5 * 8);
  }

  /** Adds the first {@code rows} rows to a checksum. */
  public void hash(CRC32 crc, int rows) {
    switch (kind) {
      case FLOAT -> {
        ByteBuffer buffer = little(rows * width * Float.BYTES);
        buffer.asFloatBuffer().put(floats, 0, rows * width);
        crc.update(buffer);
      }
      case LONG -> {
        ByteBuffer buffer = little(rows * width * Long.BYTES);
        buffer.asLongBuffer().put(longs, 0, rows * width);
        crc.update(buffer);
      }
      case BYTES -> {
        crc.update(bytes, 0, ends[rows]);
        ByteBuffer lengths = little(rows * Integer.BYTES);
        for (int row = 0; row < rows; row++) {
          lengths.putInt(ends[row + 1] - ends[row]);
        }
        crc.update(lengths.flip());
      }
    }
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
