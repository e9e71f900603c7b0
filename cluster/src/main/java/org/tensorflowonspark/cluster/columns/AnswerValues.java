/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.nio.ByteBuffer;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.DType;
import org.tensorflowonspark.tensorflow.TensorList;
import org.tensorflowonspark.tensorflow.TensorSpec;

/** Elements of one output tensor as Spark's scalars and flat arrays. */
final class AnswerValues {
  private final TensorList tensors;
  private final int output;
  private final TensorSpec spec;
  private final DType dtype;
  private final ByteBuffer memory;

  AnswerValues(TensorList tensors, int output) {
    this.tensors = tensors;
    this.output = output;
    this.spec = tensors.spec(output);
    this.dtype = spec.dtype();
    this.memory = dtype == DType.STRING ? ByteBuffer.allocate(0) : tensors.buffer(output);
  }

  /** Spark's type of one element. */
  static DataType type(DType dtype) {
    return switch (dtype) {
      case FLOAT32, FLOAT16, BFLOAT16 -> DataTypes.FloatType;
      case FLOAT64 -> DataTypes.DoubleType;
      case INT8 -> DataTypes.ByteType;
      case INT16, UINT8 -> DataTypes.ShortType;
      case INT32, UINT16 -> DataTypes.IntegerType;
      case INT64, UINT32, UINT64 -> DataTypes.LongType;
      case BOOL -> DataTypes.BooleanType;
      case STRING -> DataTypes.BinaryType;
    };
  }

  Object scalar(int i) {
    return switch (dtype) {
      case FLOAT32 -> memory.getFloat(i * 4);
      case FLOAT64 -> memory.getDouble(i * 8);
      case FLOAT16 -> half(memory.getShort(i * 2));
      case BFLOAT16 -> Float.intBitsToFloat(memory.getShort(i * 2) << 16);
      case INT8 -> memory.get(i);
      case UINT8 -> (short) (memory.get(i) & 0xFF);
      case INT16 -> memory.getShort(i * 2);
      case UINT16 -> memory.getShort(i * 2) & 0xFFFF;
      case INT32 -> memory.getInt(i * 4);
      case UINT32 -> memory.getInt(i * 4) & 0xFFFFFFFFL;
      case INT64 -> memory.getLong(i * 8);
      case UINT64 -> signed(memory.getLong(i * 8));
      case BOOL -> memory.get(i) != 0;
      case STRING -> tensors.bytes(output, i);
    };
  }

  ArrayData array(int from, int n) {
    switch (dtype) {
      case FLOAT32 -> {
        float[] values = new float[n];
        memory.slice(from * 4, n * 4).order(memory.order()).asFloatBuffer().get(values);
        return UnsafeArrayData.fromPrimitiveArray(values);
      }
      case FLOAT64 -> {
        double[] values = new double[n];
        memory.slice(from * 8, n * 8).order(memory.order()).asDoubleBuffer().get(values);
        return UnsafeArrayData.fromPrimitiveArray(values);
      }
      case INT32 -> {
        int[] values = new int[n];
        memory.slice(from * 4, n * 4).order(memory.order()).asIntBuffer().get(values);
        return UnsafeArrayData.fromPrimitiveArray(values);
      }
      case INT64 -> {
        long[] values = new long[n];
        memory.slice(from * 8, n * 8).order(memory.order()).asLongBuffer().get(values);
        return UnsafeArrayData.fromPrimitiveArray(values);
      }
      default -> {
        Object[] values = new Object[n];
        for (int i = 0; i < n; i++) {
          values[i] = scalar(from + i);
        }
        return new GenericArrayData(values);
      }
    }
  }

  private long signed(long bits) {
    if (bits < 0) {
      throw new TfosException(
          ColumnError.INVALID_ANSWER,
          "Output " + spec + " holds " + Long.toUnsignedString(bits) + ", beyond Spark's long",
          "Cast the output inside the model.");
    }
    return bits;
  }

  private static float half(short bits) {
    int exponent = (bits >> 10) & 0x1F;
    int mantissa = bits & 0x3FF;
    float magnitude =
        switch (exponent) {
          case 0 -> mantissa * 0x1p-24f;
          case 31 -> mantissa == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
          default -> Math.scalb(1 + mantissa * 0x1p-10f, exponent - 15);
        };
    return bits < 0 ? -magnitude : magnitude;
  }
}
