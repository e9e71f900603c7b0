/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.tensorflow.DType;

/**
 * One tensor to fill and the column that fills it. A value: serialisable, and flat since every part
 * is text, a number or a flag.
 *
 * @param tensor name of the tensor
 * @param column name of the column; fields of structs with dots, {@code image.data}
 * @param dtype type of the tensor's elements
 * @param rowShape shape of one row, so without the batch dimension; -1 is a dimension that differs
 *     from row to row, which needs a padding value
 * @param allowLossy whether fractions may be cut off, and integers rounded to the nearest float
 * @param padding text of the value that fills short rows up, or null where a short row is an error;
 *     with it a row may be shorter than a known dimension, never longer
 * @param nullValue text of the value that stands for a null (of the column or inside an array), or
 *     null where a null is an error
 */
// Copied in and out, and compared by content below.
@SuppressWarnings("ArrayRecordComponent")
public record ColumnTarget(
    String tensor,
    String column,
    DType dtype,
    long[] rowShape,
    boolean allowLossy,
    @Nullable String padding,
    @Nullable String nullValue)
    implements Serializable {

  public ColumnTarget {
    Objects.requireNonNull(tensor, "tensor");
    Objects.requireNonNull(column, "column");
    Objects.requireNonNull(dtype, "dtype");
    rowShape = rowShape.clone();
  }

  /** A target that takes every value as it is or fails. */
  public static ColumnTarget of(String tensor, String column, DType dtype, long... rowShape) {
    return new ColumnTarget(tensor, column, dtype, rowShape, false, null, null);
  }

  /** The same target with fractions cut off and integers rounded where the type asks for it. */
  public ColumnTarget lossy() {
    return new ColumnTarget(tensor, column, dtype, rowShape, true, padding, nullValue);
  }

  /** The same target with short rows filled up by a value. */
  public ColumnTarget padded(String value) {
    return new ColumnTarget(tensor, column, dtype, rowShape, allowLossy, value, nullValue);
  }

  /** The same target with nulls replaced by a value. */
  public ColumnTarget nullsAs(String value) {
    return new ColumnTarget(tensor, column, dtype, rowShape, allowLossy, padding, value);
  }

  @Override
  public long[] rowShape() {
    return rowShape.clone();
  }

  /** Whether a dimension differs from row to row. */
  public boolean ragged() {
    return Arrays.stream(rowShape).anyMatch(d -> d < 0);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ColumnTarget that
        && tensor.equals(that.tensor)
        && column.equals(that.column)
        && dtype == that.dtype
        && Arrays.equals(rowShape, that.rowShape)
        && allowLossy == that.allowLossy
        && Objects.equals(padding, that.padding)
        && Objects.equals(nullValue, that.nullValue);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        tensor, column, dtype, Arrays.hashCode(rowShape), allowLossy, padding, nullValue);
  }

  @Override
  public String toString() {
    return column + " -> " + tensor + ": " + dtype.text() + Arrays.toString(rowShape);
  }
}
