/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.TensorList;
import org.tensorflowonspark.tensorflow.TensorSpec;
import scala.Function1;

/**
 * A prediction's tensors as Spark's rows: one row for each index of the first dimension, one column
 * for each tensor, arrays nested as deep as the tensor's row has dimensions. Reads the tensors when
 * asked, so they must stay open. For one thread.
 *
 * <p>Spark has no unsigned numbers: uint8, uint16 and uint32 become the next wider integer, uint64
 * a long that fails beyond its range. The 16-bit floats become floats. Strings become binary, since
 * a tensor may hold any bytes; cast to string what is text.
 */
public final class AnswerRows {
  private final TensorList tensors;
  private final List<AnswerValues> values;
  private final int rows;

  /**
   * The rows of a prediction.
   *
   * @throws TfosException when a tensor has no row dimension or another number of rows
   */
  public AnswerRows(TensorList tensors) {
    this.tensors = tensors;
    this.values = new ArrayList<>();
    long count = -1;
    for (int i = 0; i < tensors.size(); i++) {
      TensorSpec spec = tensors.spec(i);
      rank(spec);
      if (count >= 0 && spec.dims()[0] != count) {
        throw invalid(spec, "has not the " + count + " rows of " + tensors.spec(0));
      }
      count = spec.dims()[0];
      values.add(new AnswerValues(tensors, i));
    }
    this.rows = (int) Math.max(0, count);
  }

  /**
   * The columns that predictions of a model have; known on the driver before anything is predicted.
   *
   * @throws TfosException for a tensor of unknown rank or without a row dimension
   */
  public static StructType schemaOf(List<TensorSpec> outputs) {
    StructField[] fields = new StructField[outputs.size()];
    for (int i = 0; i < fields.length; i++) {
      TensorSpec spec = outputs.get(i);
      DataType type = AnswerValues.type(spec.dtype());
      for (int levels = rank(spec) - 1; levels > 0; levels--) {
        type = new ArrayType(type, false);
      }
      fields[i] = new StructField(spec.name(), type, false, Metadata.empty());
    }
    return DataTypes.createStructType(fields);
  }

  /** Number of rows. */
  public int rows() {
    return rows;
  }

  /** One row in Spark's internal form. */
  public InternalRow internalRow(int row) {
    Object[] fields = new Object[values.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = value(i, row);
    }
    return new GenericInternalRow(fields);
  }

  /** One value in Spark's internal form. */
  public Object value(int output, int row) {
    long[] dims = tensors.spec(output).dims();
    int elements = 1;
    for (int i = 1; i < dims.length; i++) {
      elements *= (int) dims[i];
    }
    return nested(values.get(output), dims, 1, row * elements, elements);
  }

  /** One row as programs see it. */
  public Row row(int row) {
    StructType schema = schemaOf(tensors.specs());
    Object[] fields = new Object[values.size()];
    for (int i = 0; i < fields.length; i++) {
      Function1<Object, Object> convert =
          CatalystTypeConverters.createToScalaConverter(schema.apply(i).dataType());
      fields[i] = convert.apply(value(i, row));
    }
    return RowFactory.create(fields);
  }

  private static Object nested(AnswerValues from, long[] dims, int level, int at, int elements) {
    if (level == dims.length) {
      return from.scalar(at);
    }
    if (level == dims.length - 1) {
      return from.array(at, elements);
    }
    int n = (int) dims[level];
    Object[] inner = new Object[n];
    for (int i = 0; i < n; i++) {
      inner[i] = nested(from, dims, level + 1, at + i * (elements / n), elements / n);
    }
    return new GenericArrayData(inner);
  }

  private static int rank(TensorSpec spec) {
    List<Long> shape = spec.shape();
    if (shape == null || shape.isEmpty()) {
      throw invalid(spec, "has no dimension for rows");
    }
    return shape.size();
  }

  private static TfosException invalid(TensorSpec spec, String what) {
    return new TfosException(
        ColumnError.INVALID_ANSWER,
        "Output " + spec + " " + what,
        "Choose outputs whose first dimension is the batch.");
  }
}
