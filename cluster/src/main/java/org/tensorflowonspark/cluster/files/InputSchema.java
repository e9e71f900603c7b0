/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.files;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.sql.hadoop.RecordSplit;
import org.tensorflowonspark.sql.rows.BadRecordException;
import org.tensorflowonspark.sql.rows.RecordType;
import org.tensorflowonspark.sql.rows.SchemaInference;
import org.tensorflowonspark.tensorflow.DType;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;

/**
 * The columns that the tensors of a feed want from files: kinds as the first record has them, ranks
 * as the tensors have them. All nodes look at the same record and come to the same.
 */
final class InputSchema {
  private InputSchema() {}

  /**
   * @param splits all parts of all files, in order
   * @param given the user's columns; null to look at the first record
   */
  static StructType of(
      TFRecordInput input,
      List<RecordSplit> splits,
      @Nullable StructType given,
      List<ColumnTarget> targets,
      Configuration hadoop)
      throws IOException {
    Map<String, DataType> known = new HashMap<>();
    if (given == null) {
      for (StructField field : firstRecord(input, splits, hadoop).fields()) {
        known.put(field.name(), leaf(field.dataType()));
      }
    }
    StructType schema = new StructType();
    for (ColumnTarget target : targets) {
      String name = target.column();
      if (List.of(schema.fieldNames()).contains(name)) {
        continue;
      }
      if (given != null) {
        for (StructField field : given.fields()) {
          if (field.name().equals(name)) {
            schema = schema.add(field);
          }
        }
        continue;
      }
      DataType leaf = known.get(name);
      if (leaf == null || leaf instanceof NullType) {
        leaf = leafOf(target.dtype());
      }
      schema = schema.add(name, nested(leaf, target), target.nullValue() != null);
    }
    return schema;
  }

  private static DataType nested(DataType leaf, ColumnTarget target) {
    int rank = target.rowShape().length;
    // Bytes into a tensor of uint8 are a dimension of their own.
    boolean bytes = leaf.equals(DataTypes.BinaryType) && target.dtype() != DType.STRING;
    return rank == 0 || bytes ? leaf : DataTypes.createArrayType(leaf, false);
  }

  private static DataType leaf(DataType type) {
    DataType leaf = type;
    while (leaf instanceof ArrayType array) {
      leaf = array.elementType();
    }
    return leaf;
  }

  private static DataType leafOf(DType dtype) {
    return switch (dtype) {
      case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> DataTypes.FloatType;
      case STRING -> DataTypes.BinaryType;
      default -> DataTypes.LongType;
    };
  }

  private static StructType firstRecord(
      TFRecordInput input, List<RecordSplit> splits, Configuration hadoop) throws IOException {
    SchemaInference inference = SchemaInference.of(input.recordType(), false);
    for (RecordSplit split : splits) {
      try (RecordReader reader = split.open(hadoop, tolerant(input))) {
        while (inference.records() == 0 && reader.next()) {
          add(inference, reader, input);
        }
      }
      if (inference.records() > 0) {
        break;
      }
    }
    return inference.schema();
  }

  private static ReadOptions tolerant(TFRecordInput input) {
    return input.skipsDamaged()
        ? input.readOptions().tolerating(damage -> {}) // whoever reads the part tells of it
        : input.readOptions();
  }

  private static void add(SchemaInference inference, RecordReader reader, TFRecordInput input) {
    try {
      inference.add(reader.buffer(), reader.offset(), reader.length());
    } catch (BadRecordException e) {
      if (!input.skipsDamaged()) {
        throw e.at(reader.file(), reader.position());
      }
    }
  }

  /** Other record types have no features to feed. */
  static void check(TFRecordInput input) {
    if (input.recordType() == RecordType.BYTE_ARRAY && input.schema() == null) {
      throw new TfosException(
          ClusterError.NO_FILES,
          "Records of type ByteArray have no features to feed",
          "Give a schema with one binary column, or another record type.");
    }
  }
}
