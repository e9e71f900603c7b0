/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Rows as Spark makes them, and records of them. */
final class Rows {
  static final List<DataType> VALUE_TYPES =
      List.of(
          DataTypes.BooleanType,
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.DateType,
          DataTypes.TimestampType,
          DataTypes.TimestampNTZType,
          DataTypes.FloatType,
          DataTypes.DoubleType,
          DataTypes.createDecimalType(6, 2),
          DataTypes.createDecimalType(18, 0),
          DataTypes.createDecimalType(38, 3),
          DataTypes.StringType,
          DataTypes.createVarcharType(100),
          DataTypes.BinaryType);

  private static final Map<StructType, UnsafeProjection> PROJECTIONS = new HashMap<>();

  private Rows() {}

  static StructType schema(Object... namesAndTypes) {
    StructType schema = new StructType();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      schema = schema.add((String) namesAndTypes[i], (DataType) namesAndTypes[i + 1], true);
    }
    return schema;
  }

  /** All columns not nullable. */
  static StructType strict(StructType nullable) {
    StructType schema = new StructType();
    for (var field : nullable.fields()) {
      schema = schema.add(field.name(), field.dataType(), false);
    }
    return schema;
  }

  static DataType array(DataType element) {
    return DataTypes.createArrayType(element, true);
  }

  /** A row of objects, in Spark's internal types. */
  static InternalRow generic(@Nullable Object... values) {
    return new GenericInternalRow(values);
  }

  /** The same row in Spark's binary form, as its own projection makes it. */
  static UnsafeRow unsafe(StructType schema, @Nullable Object... values) {
    return PROJECTIONS
        .computeIfAbsent(schema, UnsafeProjection::create)
        .apply(generic(values))
        .copy();
  }

  static GenericArrayData list(@Nullable Object... elements) {
    return new GenericArrayData(elements);
  }

  static UTF8String text(String text) {
    return UTF8String.fromString(text);
  }

  static byte[] encode(RowEncoder encoder, InternalRow row) {
    encoder.encode(row);
    int from = encoder.offset();
    return Arrays.copyOfRange(encoder.buffer(), from, from + encoder.length());
  }

  /** Decodes a record that lies in the middle of a larger array. */
  static UnsafeRow decode(RowDecoder decoder, byte[] record) throws BadRecordException {
    byte[] around = new byte[record.length + 24];
    Arrays.fill(around, (byte) 0x7f);
    System.arraycopy(record, 0, around, 11, record.length);
    return decoder.decode(around, 11, record.length);
  }
}
