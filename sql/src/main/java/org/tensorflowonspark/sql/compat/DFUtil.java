/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.compat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.OptionTable;
import org.tensorflowonspark.base.TfosException;

/**
 * The calls of the original's Python {@code dfutil} and Scala {@code DFUtil}. Lists keep all of
 * their values, nulls are absent features, and the schema is that of all records, not of the first
 * one.
 *
 * <p>On the driver, on any thread; loading blocks while it infers a schema, saving until all is
 * written.
 */
public final class DFUtil {
  private static final String FORMAT = "tfrecord";

  /** Where loaded DataFrames come from; a DataFrame is equal to itself only. */
  private static final Map<Dataset<Row>, String> LOADED =
      Collections.synchronizedMap(new WeakHashMap<>());

  private DFUtil() {}

  /** Loads Examples; features of bytes are strings. */
  public static Dataset<Row> loadTFRecords(SparkSession spark, String dir) {
    return loaded(spark.read().format(FORMAT).load(dir), dir);
  }

  /**
   * Loads Examples; features of bytes are strings, those named are binary.
   *
   * @throws TfosException for a name that is no feature of any record
   */
  public static Dataset<Row> loadTFRecords(
      SparkSession spark, String dir, List<String> binaryFeatures) {
    StructType inferred = spark.read().format(FORMAT).load(dir).schema();
    return loadTFRecords(spark, dir, withBinary(inferred, binaryFeatures));
  }

  /** Loads Examples into the columns of {@code schemaHint}, without a look at the files first. */
  public static Dataset<Row> loadTFRecords(SparkSession spark, String dir, StructType schemaHint) {
    return loaded(spark.read().format(FORMAT).schema(schemaHint).load(dir), dir);
  }

  /** Writes Examples to a directory that must not exist. */
  public static void saveAsTFRecords(Dataset<Row> df, String dir) {
    df.write().format(FORMAT).save(dir);
  }

  /** Whether {@code df} is one that {@code loadTFRecords} gave, and not one derived from it. */
  public static boolean isLoadedDF(Dataset<Row> df) {
    return LOADED.containsKey(df);
  }

  /** The directory that {@code df} was loaded from, or null unless {@link #isLoadedDF}. */
  public static @Nullable String loadedFrom(Dataset<Row> df) {
    return LOADED.get(df);
  }

  /**
   * Reads a schema hint such as {@code struct<id:bigint,image:array<float>,größe.m2:double>}, as
   * {@code StructType.simpleString} writes it; names may hold all but {@code <>,:} and are put into
   * backticks otherwise.
   *
   * @throws TfosException for any other text
   */
  public static StructType parseSchema(String text) {
    return TypeParser.parse(text);
  }

  private static Dataset<Row> loaded(Dataset<Row> df, String dir) {
    LOADED.put(df, dir);
    return df;
  }

  static StructType withBinary(StructType schema, List<String> binaryFeatures) {
    List<String> known = Arrays.asList(schema.fieldNames());
    for (String name : binaryFeatures) {
      if (!known.contains(name)) {
        String near = OptionTable.nearest(name, known);
        throw new TfosException(
            CompatError.UNKNOWN_FEATURE,
            "No record has a feature '" + name + "'",
            near == null ? "There are " + known + "." : "Did you mean '" + near + "'?");
      }
    }
    List<StructField> fields = new ArrayList<>();
    for (StructField field : schema.fields()) {
      fields.add(
          binaryFeatures.contains(field.name())
              ? new StructField(
                  field.name(), binary(field.dataType()), field.nullable(), field.metadata())
              : field);
    }
    return new StructType(fields.toArray(StructField[]::new));
  }

  /** Only bytes are ambiguous: a feature of numbers stays what it is. */
  private static DataType binary(DataType type) {
    if (type instanceof ArrayType array) {
      return new ArrayType(binary(array.elementType()), array.containsNull());
    }
    return type.equals(DataTypes.StringType) ? DataTypes.BinaryType : type;
  }
}
