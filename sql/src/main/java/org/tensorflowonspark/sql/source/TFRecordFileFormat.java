/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FileSourceOptions;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.sql.rows.RecordType;
import org.tensorflowonspark.sql.rows.RowDecoder;
import org.tensorflowonspark.sql.rows.RowEncoder;
import org.tensorflowonspark.tfrecord.Compression;
import scala.Function1;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * Spark's data source {@code tfrecord}: files of {@code tf.train.Example}, {@code SequenceExample}
 * or bytes. Spark makes one for each relation and calls it on the driver.
 */
public class TFRecordFileFormat implements FileFormat, DataSourceRegister {
  @Override
  public String shortName() {
    return "tfrecord";
  }

  @Override
  public Option<StructType> inferSchema(
      SparkSession spark,
      scala.collection.immutable.Map<String, String> options,
      Seq<FileStatus> files) {
    Inference inference = new Inference(spark, checked(spark, options));
    return Option.apply(inference.schema(Scala.toJava(files), new FileSourceOptions(options)));
  }

  @Override
  public boolean isSplitable(
      SparkSession spark, scala.collection.immutable.Map<String, String> options, Path path) {
    TFRecordOptions checked = checked(spark, options);
    return checked.get(TFRecordOptions.SPLITTABLE)
        && checked.compressionOf(path.getName()) == Compression.NONE;
  }

  @Override
  public Function1<PartitionedFile, Iterator<InternalRow>> buildReaderWithPartitionValues(
      SparkSession spark,
      StructType dataSchema,
      StructType partitionSchema,
      StructType requiredSchema,
      Seq<Filter> filters,
      scala.collection.immutable.Map<String, String> options,
      Configuration hadoop) {
    TFRecordOptions checked = checked(spark, options);
    ScanPlan plan = ScanPlan.of(dataSchema, partitionSchema, requiredSchema, checked);
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    return new FileOpener(
        plan, context.broadcast(new SerializableConfiguration(hadoop)), counter(spark, checked));
  }

  private static @Nullable LongAccumulator counter(SparkSession spark, TFRecordOptions options) {
    return options.get(TFRecordOptions.MODE) == ReadMode.DROPMALFORMED
        ? spark.sparkContext().longAccumulator("tfrecord.dropped")
        : null;
  }

  @Override
  public OutputWriterFactory prepareWrite(
      SparkSession spark,
      Job job,
      scala.collection.immutable.Map<String, String> options,
      StructType schema) {
    TFRecordOptions checked = checked(spark, options);
    // A column that cannot be written fails here, before any task runs.
    checked.encoder(schema);
    return new RecordFileWriterFactory(schema, checked);
  }

  @Override
  public boolean supportDataType(DataType type) {
    return isSupported(() -> RowEncoder.of(column(type), RecordType.SEQUENCE_EXAMPLE));
  }

  @Override
  public boolean supportReadDataType(DataType type) {
    return isSupported(() -> RowDecoder.of(column(type), RecordType.SEQUENCE_EXAMPLE));
  }

  private static StructType column(DataType type) {
    return new StructType().add("column", type);
  }

  /** Those who convert values know the types; the one that refuses the fewest is asked. */
  private static boolean isSupported(Supplier<?> codec) {
    try {
      return codec.get() != null;
    } catch (TfosException e) {
      return false;
    }
  }

  private static TFRecordOptions checked(
      SparkSession spark, scala.collection.immutable.Map<String, String> options) {
    return TFRecordOptions.of(
        Scala.toJava(options), spark.sessionState().conf().columnNameOfCorruptRecord());
  }

  /** As Spark's own formats: all are alike, so that plans can be compared. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TFRecordFileFormat;
  }

  @Override
  public int hashCode() {
    return TFRecordFileFormat.class.hashCode();
  }

  /** The name in Spark's messages. */
  @Override
  public String toString() {
    return shortName();
  }
}
