/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.UserDefinedType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * A column as records see it.
 *
 * @param ordinal its place in rows
 * @param nullable whether rows may lack a value
 * @param type its type, for messages
 * @param shape how many values it holds, and how
 * @param value the type of one value
 * @param valueType the same as Spark has it
 */
record Column(
    String name,
    int ordinal,
    boolean nullable,
    DataType type,
    Shape shape,
    Value value,
    DataType valueType) {

  /** How a column holds its values. */
  enum Shape {
    SCALAR,
    ARRAY,
    /** An array of arrays. */
    NESTED,
    /** A vector of Spark ML. */
    VECTOR,
    /** Nothing ever. */
    NULL
  }

  /** The type of one value, by the form in which Spark keeps it. */
  enum Value {
    BOOLEAN(1),
    BYTE(1),
    SHORT(2),
    INT(4),
    LONG(8),
    FLOAT(4),
    DOUBLE(8),
    BYTES(8),
    DECIMAL(8);

    /** Bytes that a value takes in the fixed part of an array. */
    final int size;

    Value(int size) {
      this.size = size;
    }
  }

  /** The columns of a schema of Examples or SequenceExamples. */
  static List<Column> of(StructType schema, RecordType recordType) {
    List<Column> columns = new ArrayList<>();
    for (StructField field : schema.fields()) {
      columns.add(of(field, columns.size(), recordType));
    }
    return columns;
  }

  private static Column of(StructField field, int ordinal, RecordType recordType) {
    DataType type = field.dataType();
    if (type instanceof NullType) {
      return column(field, ordinal, Shape.NULL, Value.LONG, type);
    }
    if (isVector(type)) {
      return column(field, ordinal, Shape.VECTOR, Value.DOUBLE, DataTypes.DoubleType);
    }
    Shape shape = Shape.SCALAR;
    DataType inner = stored(type);
    if (inner instanceof ArrayType array) {
      shape = Shape.ARRAY;
      inner = stored(array.elementType());
    }
    if (shape == Shape.ARRAY && inner instanceof ArrayType array) {
      shape = Shape.NESTED;
      inner = stored(array.elementType());
    }
    Value value = value(inner);
    if (value == null) {
      throw unsupported(
          field,
          "Leave the column out, or cast it to a number, a string, binary, or an array of these.");
    }
    if (shape == Shape.NESTED && recordType != RecordType.SEQUENCE_EXAMPLE) {
      throw unsupported(
          field, "Arrays of arrays need the option recordType=SequenceExample; or flatten it.");
    }
    return column(field, ordinal, shape, value, inner);
  }

  private static Column column(
      StructField field, int ordinal, Shape shape, Value value, DataType valueType) {
    return new Column(
        field.name(), ordinal, field.nullable(), field.dataType(), shape, value, valueType);
  }

  private static @Nullable Value value(DataType type) {
    if (type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType) {
      return Value.LONG;
    } else if (type instanceof IntegerType || type instanceof DateType) {
      return Value.INT;
    } else if (type instanceof ShortType) {
      return Value.SHORT;
    } else if (type instanceof ByteType) {
      return Value.BYTE;
    } else if (type instanceof BooleanType) {
      return Value.BOOLEAN;
    } else if (type instanceof FloatType) {
      return Value.FLOAT;
    } else if (type instanceof DoubleType) {
      return Value.DOUBLE;
    } else if (type instanceof StringType || type instanceof BinaryType) {
      return Value.BYTES;
    } else if (type instanceof DecimalType) {
      return Value.DECIMAL;
    }
    return null;
  }

  private static DataType stored(DataType type) {
    return type instanceof UserDefinedType<?> own ? own.sqlType() : type;
  }

  /** Tells vectors by what they look like, since Spark ML need not be on the class path. */
  private static boolean isVector(DataType type) {
    if (!(type instanceof UserDefinedType<?> own) || !(own.sqlType() instanceof StructType parts)) {
      return false;
    }
    return own.getClass().getSimpleName().equals("VectorUDT")
        && parts
            .sql()
            .toLowerCase(Locale.ROOT)
            .replaceAll("[` ]|not null", "")
            .equals("struct<type:tinyint,size:int,indices:array<int>,values:array<double>>");
  }

  /** The one column of records that are taken as they are; -1 when none of it is asked for. */
  static int bytesOrdinal(StructType schema) {
    if (schema.length() == 0) {
      return -1;
    }
    if (schema.length() > 1 || !(schema.fields()[0].dataType() instanceof BinaryType)) {
      throw new TfosException(
          RowError.UNSUPPORTED_TYPE,
          "Records of type ByteArray are one column of type binary, not " + schema.simpleString(),
          "Select the one column, or use recordType=Example.");
    }
    return 0;
  }

  private static TfosException unsupported(StructField field, String remedy) {
    return new TfosException(
        RowError.UNSUPPORTED_TYPE,
        "Column '"
            + field.name()
            + "' is of type "
            + field.dataType().simpleString()
            + ", which no feature can hold",
        remedy);
  }
}
