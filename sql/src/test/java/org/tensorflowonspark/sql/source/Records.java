/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.tensorflow.proto.Example;
import org.tensorflowonspark.sql.rows.Examples;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.RecordWriter;

/** TFRecord files of messages that protobuf itself makes. */
final class Records {
  private Records() {}

  /** An Example of names and features by turns. */
  static byte[] example(Object... namesAndFeatures) {
    return Example.newBuilder()
        .setFeatures(Examples.features(namesAndFeatures))
        .build()
        .toByteArray();
  }

  /** Examples with one INT64 feature {@code id}, from {@code from} on. */
  static byte[][] numbered(long from, int count) {
    byte[][] records = new byte[count][];
    for (int i = 0; i < count; i++) {
      records[i] = example("id", Examples.longs(from + i));
    }
    return records;
  }

  static Path write(Path file, byte[]... records) {
    Compression compression = Compression.ofFileName(file.toString());
    try {
      Files.createDirectories(file.getParent());
      try (RecordWriter writer = RecordWriter.to(Files.newOutputStream(file), compression)) {
        for (byte[] record : records) {
          writer.write(record, 0, record.length);
        }
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the record of that number begins in an uncompressed file. */
  static int offset(byte[][] records, int number) {
    int offset = 0;
    for (int i = 0; i < number; i++) {
      offset += 16 + records[i].length;
    }
    return offset;
  }

  /** Changes a bit of the data of one record of an uncompressed file. */
  static void damage(Path file, byte[][] records, int number) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[offset(records, number) + 12] ^= 1;
    Files.write(file, bytes);
  }

  /** Names of all files below a folder but Hadoop's checksums, in order. */
  static List<String> files(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(folder)) {
      List<String> names = new ArrayList<>();
      all.filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .filter(name -> !name.endsWith(".crc"))
          .sorted()
          .forEach(names::add);
      return names;
    }
  }

  /** The data files below a folder. */
  static List<Path> dataFiles(Path folder) throws IOException {
    return files(folder).stream()
        .filter(name -> !name.contains("_SUCCESS"))
        .map(folder::resolve)
        .toList();
  }
}
