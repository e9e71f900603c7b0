/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.util.Arrays;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.UserDefinedType;
import org.apache.spark.sql.types.VarcharType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.DType;

/** Checks one target against the schema, on the driver. */
final class ColumnPlanner {
  private static final int MAX_RANK = 32;

  private ColumnPlanner() {}

  static PlannedColumn plan(StructType schema, ColumnTarget target) {
    ColumnPath found = ColumnPath.find(schema, target);
    DataType column = found.type();
    DataType leaf = column;
    int depth = 0;
    while (leaf instanceof ArrayType array) {
      leaf = array.elementType();
      depth++;
    }
    SourceType type = sourceType(leaf, target.dtype());
    if (type == null) {
      throw error(ColumnError.UNSUPPORTED_TYPE, target, column, "has no tensor form", CAST);
    }
    checkFamily(type, target, column);
    // A vector, and bytes as numbers, are a dimension of their own.
    boolean ownDimension =
        type == SourceType.VECTOR || (type == SourceType.BINARY && target.dtype() != DType.STRING);
    boolean arrayRun = !ownDimension && depth > 0 && target.dtype() != DType.STRING;
    int outer = arrayRun ? depth - 1 : depth;
    int[] dims = dims(target, column, depth + (ownDimension ? 1 : 0));
    DecimalType decimal = leaf instanceof DecimalType d ? d : null;
    return new PlannedColumn(
        target,
        found.path(),
        found.widths(),
        type,
        name(column),
        outer,
        arrayRun,
        decimal == null ? 0 : decimal.precision(),
        decimal == null ? 0 : decimal.scale(),
        dims,
        elements(dims, target, column),
        constant(target, target.padding(), "padding"),
        constant(target, target.nullValue(), "null replacement"));
  }

  private static final String CAST = "Cast or transform the column in Spark first.";

  private static @Nullable SourceType sourceType(DataType leaf, DType dtype) {
    if (leaf instanceof BooleanType) {
      return SourceType.BOOLEAN;
    } else if (leaf instanceof ByteType) {
      return SourceType.BYTE;
    } else if (leaf instanceof ShortType) {
      return SourceType.SHORT;
    } else if (leaf instanceof IntegerType || leaf instanceof DateType) {
      return SourceType.INT;
    } else if (leaf instanceof LongType
        || leaf instanceof TimestampType
        || leaf instanceof TimestampNTZType) {
      return SourceType.LONG;
    } else if (leaf instanceof FloatType) {
      return SourceType.FLOAT;
    } else if (leaf instanceof DoubleType) {
      return SourceType.DOUBLE;
    } else if (leaf instanceof DecimalType d) {
      // Beyond a long only a float can take the whole range; to it such a decimal is a fraction.
      boolean floats = dtype == DType.FLOAT32 || dtype == DType.FLOAT64;
      return d.scale() > 0 || (d.precision() > 18 && floats)
          ? SourceType.DECIMAL
          : SourceType.WHOLE_DECIMAL;
    } else if (leaf instanceof StringType
        || leaf instanceof CharType
        || leaf instanceof VarcharType) {
      return SourceType.STRING;
    } else if (leaf instanceof BinaryType) {
      return SourceType.BINARY;
    } else if (leaf instanceof UserDefinedType<?> udt && isVector(udt.sqlType())) {
      return SourceType.VECTOR;
    }
    return null;
  }

  /** By the stored form, so that Spark ML need not be there. */
  private static boolean isVector(DataType type) {
    return type instanceof StructType s
        && Arrays.equals(s.fieldNames(), new String[] {"type", "size", "indices", "values"})
        && s.apply(0).dataType() instanceof ByteType
        && s.apply(1).dataType() instanceof IntegerType
        && s.apply(2).dataType() instanceof ArrayType i
        && i.elementType() instanceof IntegerType
        && s.apply(3).dataType() instanceof ArrayType v
        && v.elementType() instanceof DoubleType;
  }

  private static void checkFamily(SourceType type, ColumnTarget target, DataType column) {
    DType dtype = target.dtype();
    if (dtype == DType.FLOAT16 || dtype == DType.BFLOAT16) {
      throw error(
          ColumnError.UNSUPPORTED_TYPE,
          target,
          column,
          "cannot become " + dtype.text(),
          "Let the model take float32 and cast inside.");
    }
    boolean ok =
        switch (type.family()) {
          case BYTES ->
              dtype == DType.STRING || (type == SourceType.BINARY && dtype == DType.UINT8);
          case INTEGER, FRACTION -> dtype != DType.STRING;
        };
    if (!ok) {
      throw error(
          ColumnError.UNSUPPORTED_TYPE,
          target,
          column,
          "cannot become " + dtype.text(),
          type == SourceType.BINARY
              ? "Bytes fit a string or a uint8 tensor; decode them in Spark for anything else."
              : CAST);
    }
    boolean floats = dtype == DType.FLOAT32 || dtype == DType.FLOAT64;
    if (type.family() == SourceType.Family.FRACTION && !floats && !target.allowLossy()) {
      throw error(
          ColumnError.LOSSY_TYPE,
          target,
          column,
          "would lose its fractions as " + dtype.text(),
          "Cast the column in Spark, or allow lossy conversion for it to cut fractions off.");
    }
  }

  /** The shape in as many dimensions as the value has, see {@link PlannedColumn#dims}. */
  private static int[] dims(ColumnTarget target, DataType column, int depth) {
    long[] shape = target.rowShape();
    if (shape.length > MAX_RANK) {
      throw error(ColumnError.INVALID_TARGET, target, column, "has too many dimensions", "");
    }
    long product = 1;
    for (long d : shape) {
      if (d == 0 || d < -1 || d > Integer.MAX_VALUE) {
        throw error(
            ColumnError.INVALID_TARGET,
            target,
            column,
            "has the impossible dimension " + d,
            "Dimensions are positive, or -1 where rows differ.");
      }
      product = Math.min(product * Math.abs(d), Integer.MAX_VALUE + 1L);
    }
    if (target.ragged() && target.padding() == null) {
      throw error(
          ColumnError.RAGGED_WITHOUT_PADDING,
          target,
          column,
          "has a row shape that is not known",
          "Give the row shape, or a padding value to fill short rows up with.");
    }
    int rank = shape.length;
    while (rank > depth && shape[rank - 1] == 1) {
      rank--;
    }
    if (rank == depth) {
      int[] dims = new int[rank];
      Arrays.setAll(dims, i -> (int) shape[i]);
      return dims;
    }
    if (depth == 1 && !target.ragged() && product <= Integer.MAX_VALUE) {
      return new int[] {(int) product};
    }
    throw error(
        ColumnError.RANK_MISMATCH,
        target,
        column,
        "has " + depth + " dimensions where the tensor's row has " + shape.length,
        "Give the tensor's row shape (a flat array fits any known shape) or reshape the column.");
  }

  private static int elements(int[] dims, ColumnTarget target, DataType column) {
    long product = 1;
    for (int d : dims) {
      if (d < 0) {
        return -1;
      }
      product *= d;
      if (product * Math.max(4, target.dtype().bytes()) > Integer.MAX_VALUE - 4096) {
        throw error(ColumnError.INVALID_TARGET, target, column, "has rows of more than 2 GiB", "");
      }
    }
    return (int) product;
  }

  private static byte @Nullable [] constant(
      ColumnTarget target, @Nullable String text, String name) {
    if (text == null) {
      return null;
    }
    byte[] bytes = Constants.parse(target.dtype(), text);
    if (bytes == null) {
      throw new TfosException(
          ColumnError.INVALID_TARGET,
          "The " + name + " '" + text + "' of " + target + " is no " + target.dtype(),
          "Give a value of the tensor's type.");
    }
    return bytes;
  }

  private static String name(DataType type) {
    return type instanceof UserDefinedType<?> udt ? udt.typeName() : type.catalogString();
  }

  private static TfosException error(
      ColumnError code, ColumnTarget target, DataType column, String what, String remedy) {
    return new TfosException(
        code,
        String.format(
            "Column '%s' of type %s for tensor '%s' (%s%s) %s",
            target.column(),
            name(column),
            target.tensor(),
            target.dtype().text(),
            Arrays.toString(target.rowShape()),
            what),
        remedy);
  }
}
