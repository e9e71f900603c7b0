/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.RecordWriter;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/** TFRecord files with the numbered rows of {@link Seen}. */
final class RecordData {
  private RecordData() {}

  /** Files of so many records each, in turn plain, gzip and zlib, numbered from {@code first}. */
  static void write(Path dir, int first, int... sizes) {
    int next = first;
    for (int i = 0; i < sizes.length; i++) {
      Compression compression = Compression.values()[i % Compression.values().length];
      writeFile(
          dir.resolve("part-" + i + ".tfrecord" + compression.extension()), next, sizes[i], 0);
      next += sizes[i];
    }
  }

  /** One file; each record has so many bytes beside its values. */
  static void writeFile(Path file, int first, int count, int padding) {
    ExampleWriter example = ExampleWriter.ofExample(List.of("id", "values", "label", "padding"));
    Compression compression = Compression.ofFileName(file.toString());
    try (OutputStream out = Files.newOutputStream(file);
        RecordWriter writer = RecordWriter.to(out, compression)) {
      for (long id = first; id < first + count; id++) {
        example.begin();
        example.longs(0, new long[] {id}, 0, 1);
        example.floats(1, new float[] {id / 1024f, 0, 1, 0}, 0, 4);
        example.longs(2, new long[] {id % 3}, 0, 1);
        example.beginBytes(3, 1);
        example.bytes(new byte[padding], 0, padding);
        example.finish();
        writer.write(example.buffer(), example.offset(), example.length());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
