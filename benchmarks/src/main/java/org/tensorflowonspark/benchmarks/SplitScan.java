/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.tensorflowonspark.benchmarks.records.Column;

/**
 * Goes over rows as Spark has them and adds up what is cheap to add up: the low bits of whole
 * numbers, and one float of each 64 bytes. The sum is exact.
 *
 * @param columns the columns of the rows, as {@link Column#parse} takes them
 */
record SplitScan(String columns) implements FlatMapFunction<Iterator<InternalRow>, Double> {
  private static final int CACHE_LINE = 16;
  private static final int LOW_BITS = 1023;

  @Override
  public Iterator<Double> call(Iterator<InternalRow> rows) {
    Column[] wanted = Column.parse(columns).toArray(Column[]::new);
    double sum = 0;
    while (rows.hasNext()) {
      InternalRow row = rows.next();
      for (int i = 0; i < wanted.length; i++) {
        if (wanted[i].kind == Column.Kind.LONG) {
          sum += row.getLong(i) & LOW_BITS;
        } else if (wanted[i].width == 1) {
          sum += row.getFloat(i);
        } else {
          ArrayData values = row.getArray(i);
          int width = values.numElements();
          for (int j = 0; j < width; j += CACHE_LINE) {
            sum += values.getFloat(j);
          }
        }
      }
    }
    return List.of(sum).iterator();
  }

  /** What all parts together must find in so many batches of generated rows. */
  double expected(int batches) {
    double sum = 0;
    for (Column column : Column.parse(columns)) {
      column.generate();
      for (int row = 0; row < Column.BATCH; row++) {
        if (column.kind == Column.Kind.LONG) {
          sum += column.longs[row] & LOW_BITS;
        }
        for (int i = 0; i < column.width && column.kind == Column.Kind.FLOAT; i += CACHE_LINE) {
          sum += column.floats[row * column.width + i];
        }
      }
    }
    return sum * batches;
  }
}
