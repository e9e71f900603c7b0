/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;

/** Records, and files of them written by another way than the one under test. */
final class Frames {
  static final ReadOptions PLAIN = ReadOptions.of(Compression.NONE);

  private Frames() {}

  /** Records of 0 to 4,000 random bytes that begin with their number where they are long enough. */
  static List<byte[]> records(int count, long seed) {
    Random random = new Random(seed);
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] record = new byte[random.nextInt(10) == 0 ? random.nextInt(4) : random.nextInt(4000)];
      random.nextBytes(record);
      if (record.length >= 4) {
        ByteBuffer.wrap(record).putInt(i);
      }
      records.add(record);
    }
    return records;
  }

  /** The bytes of a file. */
  static byte[] file(List<byte[]> records, Compression compression) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        switch (compression) {
          case NONE -> bytes;
          case GZIP -> new GZIPOutputStream(bytes);
          case ZLIB -> new DeflaterOutputStream(bytes);
        }) {
      for (byte[] record : records) {
        byte[] length =
            ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(record.length).array();
        out.write(length);
        out.write(maskedCrc(length));
        out.write(record);
        out.write(maskedCrc(record));
      }
    }
    return bytes.toByteArray();
  }

  static byte[] file(List<byte[]> records) throws IOException {
    return file(records, Compression.NONE);
  }

  private static byte[] maskedCrc(byte[] data) {
    CRC32C crc = new CRC32C();
    crc.update(data);
    int masked = Integer.rotateRight((int) crc.getValue(), 15) + 0xa282ead8;
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(masked).array();
  }

  /** Writes a file through Hadoop, with all that its file system puts beside it. */
  static void write(Configuration configuration, Path path, byte[] content) throws IOException {
    FileSystem fileSystem = path.getFileSystem(configuration);
    try (OutputStream out = fileSystem.create(path, true)) {
      out.write(content);
    }
  }

  /** Reads what is left, and closes. */
  static List<byte[]> rest(RecordReader reader) throws IOException {
    List<byte[]> records = new ArrayList<>();
    try (reader) {
      while (reader.next()) {
        records.add(current(reader));
      }
    }
    return records;
  }

  static byte[] current(RecordReader reader) {
    return Arrays.copyOfRange(reader.buffer(), reader.offset(), reader.offset() + reader.length());
  }

  /** Reads all parts, one after the other. */
  static List<byte[]> readAll(Configuration configuration, List<RecordSplit> splits)
      throws IOException {
    List<byte[]> records = new ArrayList<>();
    for (RecordSplit split : splits) {
      records.addAll(rest(split.open(configuration, PLAIN)));
    }
    return records;
  }

  /** Fails with lengths and checksums instead of pages of bytes. */
  static void assertSame(List<byte[]> actual, List<byte[]> expected) {
    assertThat(marks(actual)).containsExactlyElementsOf(marks(expected));
  }

  static void assertSameInAnyOrder(List<byte[]> actual, List<byte[]> expected) {
    assertThat(marks(actual)).containsExactlyInAnyOrderElementsOf(marks(expected));
  }

  private static List<String> marks(List<byte[]> records) {
    return records.stream()
        .map(record -> record.length + ":" + HexFormat.of().formatHex(maskedCrc(record)))
        .toList();
  }
}
