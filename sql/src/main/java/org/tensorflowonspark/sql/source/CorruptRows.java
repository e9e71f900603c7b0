/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Rows of nulls that stand for corrupt records, and the order of columns beside them. */
final class CorruptRows {
  private final ScanPlan plan;
  private final InternalRow partitionValues;
  private @Nullable UnsafeProjection projection;

  CorruptRows(ScanPlan plan, InternalRow partitionValues) {
    this.plan = plan;
    this.partitionValues = partitionValues;
  }

  /** The values that a decoder appends to each row. */
  static InternalRow constants(ScanPlan plan, InternalRow partitionValues) {
    int before = plan.corrupt() == null ? 0 : 1;
    return new GenericInternalRow(withPartitions(plan, partitionValues, before));
  }

  /**
   * Brings the columns of decoded rows into the order that Spark asked for, or null if they are.
   */
  static @Nullable UnsafeProjection reordering(ScanPlan plan) {
    int[] order = plan.order();
    if (order.length == 0) {
      return null;
    }
    StructField[] fields = plan.rows().fields();
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < order.length; i++) {
      columns.add(new BoundReference(order[i], fields[i].dataType(), true));
    }
    return UnsafeProjection.create(Scala.toScala(columns));
  }

  /** The row for a corrupt record. */
  InternalRow row(BadRecords.Bad bad) {
    Object[] values = withPartitions(plan, partitionValues, plan.output().length());
    StructField corrupt = plan.corrupt();
    if (corrupt != null) {
      boolean isText = corrupt.dataType().equals(DataTypes.StringType);
      values[plan.output().fieldIndex(corrupt.name())] =
          isText ? UTF8String.fromString(bad.text()) : bad.record();
    }
    if (projection == null) {
      projection = UnsafeProjection.create(nullable(plan.rows()));
    }
    return projection.apply(new GenericInternalRow(values));
  }

  private static @Nullable Object[] withPartitions(
      ScanPlan plan, InternalRow partitionValues, int from) {
    StructField[] partitions = plan.partitions().fields();
    @Nullable Object[] values = new Object[from + partitions.length];
    for (int i = 0; i < partitions.length; i++) {
      values[from + i] =
          partitionValues.isNullAt(i) ? null : partitionValues.get(i, partitions[i].dataType());
    }
    return values;
  }

  private static StructType nullable(StructType schema) {
    StructType all = new StructType();
    for (StructField field : schema.fields()) {
      all = all.add(field.name(), field.dataType(), true);
    }
    return all;
  }
}
