/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * Records of one kind.
 *
 * @param name name of the case
 * @param columns features in the file, as {@link
 *     org.tensorflowonspark.benchmarks.records.Column#parse} takes them
 * @param wanted those that are read
 * @param rows records of the file
 * @param anyOrder whether features stand in another order in each record
 */
record RecordCase(String name, String columns, String wanted, int rows, boolean anyOrder) {
  static final RecordCase FLOATS = whole("floats", "image:float:784,label:long:1", 80_000);
  static final RecordCase SCALARS = whole("scalars", scalars(20, 20, 0), 250_000);
  static final RecordCase BYTES = whole("bytes", "data:bytes:4096", 60_000);

  /** As {@link #SCALARS}; what C++ writes has its features in no order. */
  static final RecordCase UNORDERED =
      new RecordCase("scalars-any-order", SCALARS.columns, SCALARS.columns, SCALARS.rows, true);

  static final RecordCase PRUNED =
      new RecordCase(
          "3-of-100",
          scalars(40, 40, 20),
          "long_07:long:1,float_20:float:1,bytes_15:bytes:32",
          100_000,
          false);

  private static RecordCase whole(String name, String columns, int rows) {
    return new RecordCase(name, columns, columns, rows, false);
  }

  private static String scalars(int longs, int floats, int bytes) {
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < Math.max(longs, Math.max(floats, bytes)); i++) {
      if (i < longs) {
        columns.add("long_%02d:long:1".formatted(i));
      }
      if (i < floats) {
        columns.add("float_%02d:float:1".formatted(i));
      }
      if (i < bytes) {
        columns.add("bytes_%02d:bytes:32".formatted(i));
      }
    }
    return String.join(",", columns);
  }

  /** With a tenth of the rows for a smoke run. */
  RecordCase of(Settings settings) {
    return new RecordCase(name, columns, wanted, settings.quick() ? rows / 10 : rows, anyOrder);
  }
}
