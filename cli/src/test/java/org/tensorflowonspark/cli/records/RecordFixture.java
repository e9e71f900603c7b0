/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.RecordWriter;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/** Makes TFRecord files. */
final class RecordFixture {
  /** Bytes of a record besides its data. */
  static final int FRAME = 16;

  /** Length and its checksum. */
  static final int HEADER = 12;

  private RecordFixture() {}

  static Path write(Path file, Compression compression, byte[]... records) throws IOException {
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file);
        RecordWriter writer = RecordWriter.to(out, compression)) {
      for (byte[] record : records) {
        writer.write(record, 0, record.length);
      }
    }
    return file;
  }

  /** So many records of {@link #example(int)}. */
  static byte[][] examples(int count) {
    byte[][] records = new byte[count][];
    for (int i = 0; i < count; i++) {
      records[i] = example(i);
    }
    return records;
  }

  /** {@code id} i, {@code name} of it, {@code x} with i values, {@code raw} that is no text. */
  static byte[] example(int i) {
    ExampleWriter writer = ExampleWriter.ofExample(List.of("id", "name", "x", "raw"));
    writer.begin();
    writer.longs(0, new long[] {i}, 0, 1);
    byte[] name = ("näme " + i).getBytes(UTF_8);
    writer.beginBytes(1, 1);
    writer.bytes(name, 0, name.length);
    float[] x = new float[i];
    for (int j = 0; j < i; j++) {
      x[j] = j + 0.5f;
    }
    writer.floats(2, x, 0, i);
    writer.beginBytes(3, 1);
    writer.bytes(new byte[] {(byte) 0xff, 0, (byte) i}, 0, 3);
    return finished(writer);
  }

  /** Context {@code id}; list {@code steps} of two steps, the second one empty. */
  static byte[] sequenceExample(int i) {
    ExampleWriter writer = ExampleWriter.ofSequenceExample(List.of("id"), List.of("steps"));
    writer.begin();
    writer.longs(0, new long[] {i}, 0, 1);
    writer.beginList(0, 2);
    writer.stepLongs(new long[] {i, -i}, 0, 2);
    writer.stepLongs(new long[0], 0, 0);
    return finished(writer);
  }

  private static byte[] finished(ExampleWriter writer) {
    writer.finish();
    byte[] record = new byte[writer.length()];
    System.arraycopy(writer.buffer(), writer.offset(), record, 0, record.length);
    return record;
  }

  /** Where record {@code index} of a file begins. */
  static int offset(byte[][] records, int index) {
    int offset = 0;
    for (int i = 0; i < index; i++) {
      offset += records[i].length + FRAME;
    }
    return offset;
  }

  /** Flips a bit of the byte at {@code position}. */
  static void damage(Path file, int position) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[position] ^= 1;
    Files.write(file, bytes);
  }

  static void cut(Path file, int length) throws IOException {
    Files.write(file, java.util.Arrays.copyOf(Files.readAllBytes(file), length));
  }
}
