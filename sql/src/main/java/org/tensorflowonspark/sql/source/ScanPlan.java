/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * Which columns one scan decodes, and which it hands to Spark. They are the same unless the column
 * of corrupt records is read: then all columns are decoded, so that a record is corrupt or not
 * whichever columns a query reads. Made on the driver.
 *
 * @param decoded columns that are decoded
 * @param output columns that are handed out, before those of partitions
 * @param partitions columns of partitions
 * @param corrupt the column of corrupt records, when it is handed out
 * @param options the options
 */
record ScanPlan(
    StructType decoded,
    StructType output,
    StructType partitions,
    @Nullable StructField corrupt,
    TFRecordOptions options)
    implements Serializable {

  static ScanPlan of(
      StructType data, StructType partitions, StructType required, TFRecordOptions options) {
    RequiredColumns.check(data, options.get(TFRecordOptions.REQUIRED));
    StructField corrupt = null;
    if (options.get(TFRecordOptions.MODE) == ReadMode.PERMISSIVE) {
      corrupt = find(required, options.get(TFRecordOptions.CORRUPT_COLUMN));
    }
    if (corrupt == null) {
      return new ScanPlan(options.withRequired(required), required, partitions, null, options);
    }
    DataType type = corrupt.dataType();
    if (!type.equals(DataTypes.StringType) && !type.equals(DataTypes.BinaryType)) {
      throw new TfosException(
          SourceError.CORRUPT_COLUMN,
          "The column of corrupt records '" + corrupt.name() + "' is of type " + type.sql(),
          "Make it STRING or BINARY, or set columnNameOfCorruptRecord to another name.");
    }
    List<String> others = new ArrayList<>(List.of(partitions.fieldNames()));
    others.add(corrupt.name());
    StructType decoded = options.withRequired(without(data, others));
    return new ScanPlan(decoded, required, partitions, corrupt, options);
  }

  /** Whether the bytes of corrupt records are wanted. */
  boolean corruptIsBinary() {
    return corrupt != null && corrupt.dataType().equals(DataTypes.BinaryType);
  }

  /** What a decoder appends to each row: the empty column of corrupt records, and partitions. */
  StructType constants() {
    StructType constants = new StructType();
    if (corrupt != null) {
      constants = constants.add(corrupt);
    }
    return append(constants, partitions);
  }

  /** Columns of a row as Spark gets it. */
  StructType rows() {
    return append(output, partitions);
  }

  /** For each column that Spark gets, where the decoder has it; empty when it is the same place. */
  int[] order() {
    List<String> from = new ArrayList<>(List.of(append(decoded, constants()).fieldNames()));
    int[] order = Arrays.stream(rows().fieldNames()).mapToInt(from::indexOf).toArray();
    for (int i = 0; i < order.length; i++) {
      if (order[i] != i || order.length != from.size()) {
        return order;
      }
    }
    return new int[0];
  }

  private static StructType append(StructType first, StructType second) {
    StructType all = first;
    for (StructField field : second.fields()) {
      all = all.add(field);
    }
    return all;
  }

  private static StructType without(StructType schema, List<String> names) {
    StructType rest = new StructType();
    for (StructField field : schema.fields()) {
      if (!names.contains(field.name())) {
        rest = rest.add(field);
      }
    }
    return rest;
  }

  private static @Nullable StructField find(StructType schema, String name) {
    for (StructField field : schema.fields()) {
      if (field.name().equals(name)) {
        return field;
      }
    }
    return null;
  }
}
