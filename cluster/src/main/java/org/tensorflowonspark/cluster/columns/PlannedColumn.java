/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.tensorflow.DType;

/**
 * One checked column: where its value lies in a row and what becomes of it.
 *
 * @param target the user's wish
 * @param path ordinals from the row through structs to the value
 * @param widths number of fields of the struct at each step of the path; 0 for the last
 * @param type innermost type
 * @param typeName the column's type as Spark prints it, for messages
 * @param outerDepth number of array levels around the innermost run; a run is a scalar, an array of
 *     scalars, a binary value or a vector
 * @param arrayRun whether the innermost run is an array
 * @param precision of decimals
 * @param scale of decimals
 * @param dims row shape with -1 for unknown, in as many dimensions as the value is nested: a flat
 *     value for a shape of several known dimensions has one, their product
 * @param elements elements of a row when all dims are known, else -1
 * @param padding bytes of the padding value, or null
 * @param nullValue bytes of the value for nulls, or null
 */
// Package-private and read only; never compared.
@SuppressWarnings("ArrayRecordComponent")
record PlannedColumn(
    ColumnTarget target,
    int[] path,
    int[] widths,
    SourceType type,
    String typeName,
    int outerDepth,
    boolean arrayRun,
    int precision,
    int scale,
    int[] dims,
    int elements,
    byte @Nullable [] padding,
    byte @Nullable [] nullValue)
    implements Serializable {

  DType dtype() {
    return target.dtype();
  }

  boolean ragged() {
    return elements < 0;
  }

  boolean text() {
    return target.dtype() == DType.STRING;
  }

  /** Bytes of one row where that is a constant, else 0. */
  long fixedRowBytes() {
    return ragged() || text() ? 0 : (long) elements * dtype().bytes();
  }

  /** The array of doubles inside of a vector. */
  PlannedColumn ofDoubles() {
    return new PlannedColumn(
        target,
        path,
        widths,
        SourceType.DOUBLE,
        typeName,
        outerDepth,
        true,
        0,
        0,
        dims,
        elements,
        padding,
        nullValue);
  }

  /** The column and tensor as messages name them. */
  String label() {
    return "Column '"
        + target.column()
        + "' ("
        + typeName
        + ") for tensor '"
        + target.tensor()
        + "' ("
        + target.dtype().text()
        + Arrays.toString(target.rowShape())
        + ")";
  }
}
