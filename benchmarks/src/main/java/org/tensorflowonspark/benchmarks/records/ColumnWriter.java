/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.records;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.RecordWriter;
import org.tensorflowonspark.tfrecord.example.ExampleWriter;

/** Writes the files that are read in the races, from generated columns. */
final class ColumnWriter {
  private final List<Column> columns;
  private final ExampleWriter examples;

  ColumnWriter(List<Column> columns) {
    this.columns = columns;
    columns.forEach(Column::generate);
    examples = ExampleWriter.ofExample(columns.stream().map(column -> column.name).toList());
  }

  /**
   * Writes a file; features stand in the order of the columns or in another order in each record,
   * as protobuf's maps may have it.
   */
  void write(Path file, long records, boolean anyOrder) throws IOException {
    Random random = new Random(7);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      order.add(i);
    }
    try (OutputStream out = Files.newOutputStream(file);
        RecordWriter writer = RecordWriter.to(out, Compression.NONE)) {
      for (long record = 0; record < records; record++) {
        if (anyOrder) {
          Collections.shuffle(order, random);
        }
        encode(order, (int) (record % Column.BATCH));
        writer.write(examples.buffer(), examples.offset(), examples.length());
      }
    }
  }

  private void encode(List<Integer> order, int row) {
    examples.begin();
    for (int i : order) {
      Column column = columns.get(i);
      switch (column.kind) {
        case FLOAT -> examples.floats(i, column.floats, row * column.width, column.width);
        case LONG -> examples.longs(i, column.longs, row * column.width, column.width);
        case BYTES -> {
          examples.beginBytes(i, 1);
          examples.bytes(column.bytes, column.ends[row], column.ends[row + 1] - column.ends[row]);
        }
      }
    }
    examples.finish();
  }
}
