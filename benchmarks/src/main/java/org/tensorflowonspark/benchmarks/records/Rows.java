/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.records;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Columns as Spark has them: a schema, and rows in its binary form. */
public final class Rows {
  private Rows() {}

  /** Columns of arrays, or of single values where the width is 1. */
  public static StructType schema(List<Column> columns) {
    StructType schema = new StructType();
    for (Column column : columns) {
      schema = schema.add(column.name, type(column), false);
    }
    return schema;
  }

  private static DataType type(Column column) {
    return switch (column.kind) {
      case BYTES -> DataTypes.BinaryType;
      case FLOAT -> list(DataTypes.FloatType, column.width);
      case LONG -> list(DataTypes.LongType, column.width);
    };
  }

  private static DataType list(DataType element, int width) {
    return width == 1 ? element : DataTypes.createArrayType(element, false);
  }

  /** A batch of generated rows. */
  static UnsafeRow[] generate(List<Column> columns) {
    columns.forEach(Column::generate);
    UnsafeProjection projection = UnsafeProjection.create(schema(columns));
    UnsafeRow[] rows = new UnsafeRow[Column.BATCH];
    for (int row = 0; row < rows.length; row++) {
      Object[] values = new Object[columns.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = value(columns.get(i), row);
      }
      rows[row] = projection.apply(new GenericInternalRow(values)).copy();
    }
    return rows;
  }

  private static Object value(Column column, int row) {
    int from = row * column.width;
    int to = from + column.width;
    return switch (column.kind) {
      case BYTES -> Arrays.copyOfRange(column.bytes, from, to);
      case FLOAT ->
          column.width == 1
              ? (Object) column.floats[row]
              : new GenericArrayData(Arrays.copyOfRange(column.floats, from, to));
      case LONG ->
          column.width == 1
              ? (Object) column.longs[row]
              : new GenericArrayData(Arrays.copyOfRange(column.longs, from, to));
    };
  }
}
