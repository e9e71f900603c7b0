/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.records;

import java.util.ArrayList;
import java.util.List;
import org.tensorflowonspark.tfrecord.example.ExampleReader;
import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureView;
import org.tensorflowonspark.tfrecord.example.MalformedExampleException;

/** Reads Examples into columns, as a program that knows its features would. */
final class ColumnReader {

  /** A feature and where it goes. */
  private record Target(FeatureView view, Column column) {

    void check(FeatureKind kind, int count) {
      if (view.kind() != kind || view.count() != count) {
        throw new IllegalStateException(
            "Feature %s holds %d of %s".formatted(column.name, view.count(), view.kind()));
      }
    }
  }

  private final ExampleReader examples;
  private final Target[] singleFloats;
  private final Target[] singleLongs;
  private final Target[] others;
  private final int[] starts = new int[1];
  private final int[] lengths = new int[1];

  ColumnReader(List<Column> columns) {
    examples = ExampleReader.ofExample(columns.stream().map(column -> column.name).toList());
    List<Target> floats = new ArrayList<>();
    List<Target> longs = new ArrayList<>();
    List<Target> rest = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      List<Target> like =
          column.width > 1 || column.kind == Column.Kind.BYTES
              ? rest
              : column.kind == Column.Kind.FLOAT ? floats : longs;
      like.add(new Target(examples.feature(i), column));
    }
    singleFloats = floats.toArray(Target[]::new);
    singleLongs = longs.toArray(Target[]::new);
    others = rest.toArray(Target[]::new);
  }

  void read(byte[] buffer, int offset, int length, int row) throws MalformedExampleException {
    examples.read(buffer, offset, length);
    for (Target target : singleFloats) {
      target.check(FeatureKind.FLOAT, 1);
      target.column.floats[row] = target.view.firstFloat();
    }
    for (Target target : singleLongs) {
      target.check(FeatureKind.INT64, 1);
      target.column.longs[row] = target.view.firstLong();
    }
    for (Target target : others) {
      fill(target, row);
    }
  }

  private void fill(Target target, int row) {
    Column column = target.column;
    FeatureView view = target.view;
    switch (column.kind) {
      case FLOAT -> {
        target.check(FeatureKind.FLOAT, column.width);
        view.floats(column.floats, row * column.width);
      }
      case LONG -> {
        target.check(FeatureKind.INT64, column.width);
        view.longs(column.longs, row * column.width);
      }
      case BYTES -> {
        target.check(FeatureKind.BYTES, 1);
        view.elements(starts, lengths);
        int at = column.ends[row];
        System.arraycopy(view.buffer(), starts[0], column.bytes, at, lengths[0]);
        column.ends[row + 1] = at + lengths[0];
      }
    }
  }
}
