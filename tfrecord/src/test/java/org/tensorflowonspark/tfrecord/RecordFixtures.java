/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** RecordFixtures for the tests, and what readers find in them. */
final class RecordFixtures {
  private RecordFixtures() {}

  /** What a reader found: records as text, and damage. */
  record Found(List<String> records, List<Long> positions, List<Damage> damages) {}

  static byte[] of(Compression compression, List<byte[]> records) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (RecordWriter writer = RecordWriter.to(out, compression)) {
      for (byte[] record : records) {
        writer.write(record, 0, record.length);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  static List<byte[]> random(long seed, int... lengths) {
    Random random = new Random(seed);
    List<byte[]> records = new ArrayList<>();
    for (int length : lengths) {
      byte[] record = new byte[length];
      random.nextBytes(record);
      records.add(record);
    }
    return records;
  }

  static List<String> texts(List<byte[]> records) {
    return records.stream().map(RecordFixtures::text).toList();
  }

  static String text(byte[] record) {
    return record.length + ":" + Arrays.hashCode(record);
  }

  /** A header for a length, whatever follows. */
  static byte[] header(long length) {
    byte[] bytes = new byte[Frame.HEADER];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(length);
    Frame.writeInt(bytes, 8, new Frame().maskedCrc(bytes, 0, 8));
    return bytes;
  }

  static Found strict(RecordSource source, Compression compression) throws IOException {
    return read(RecordReader.open(source, ReadOptions.of(compression)), List.of());
  }

  static Found tolerant(RecordSource source, Compression compression) throws IOException {
    return tolerant(source, compression, 0, Long.MAX_VALUE);
  }

  static Found tolerant(RecordSource source, Compression compression, long start, long end)
      throws IOException {
    List<Damage> damages = new ArrayList<>();
    return read(
        RecordReader.open(source, start, end, ReadOptions.of(compression).tolerating(damages::add)),
        damages);
  }

  static Found read(RecordReader reader, List<Damage> damages) throws IOException {
    List<String> records = new ArrayList<>();
    List<Long> positions = new ArrayList<>();
    try (reader) {
      while (reader.next()) {
        records.add(
            text(
                Arrays.copyOfRange(
                    reader.buffer(), reader.offset(), reader.offset() + reader.length())));
        positions.add(reader.position());
      }
    }
    return new Found(records, positions, damages);
  }
}
