/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cli.console.CliError;
import org.tensorflowonspark.sql.rows.RecordType;

/**
 * Reads files in one format and writes them in another, by Spark in this JVM.
 *
 * @param schema of what is read, as Spark's DDL; null: told from the data
 * @param compression of what is written; null: the format's own
 * @param partitions files to write; null: as they are read
 */
record Conversion(
    FileFormat from,
    FileFormat to,
    @Nullable String schema,
    RecordType type,
    boolean binaryAsString,
    @Nullable String compression,
    @Nullable Integer partitions,
    boolean header,
    boolean multiLine) {
  /** Spark's own is a backslash, which other programs do not take for one. */
  private static final String QUOTE_IN_QUOTES = "\"";

  /** What was written. */
  record Result(String schema, long rows, int files, long bytes) {}

  Result run(ConversionPaths paths) throws IOException {
    try (EmbeddedSpark spark = EmbeddedSpark.start()) {
      Dataset<Row> rows = read(spark.session(), paths.input());
      checkFits(rows.schema());
      if (partitions != null) {
        rows = rows.repartition(partitions);
      }
      Observation written = new Observation();
      write(
          rows.observe(written, functions.count(functions.lit(1)).as("rows")), paths.unfinished());
      ConversionPaths.FileTotals totals = paths.publish();
      long count = ((Number) written.getAsJava().getOrDefault("rows", 0L)).longValue();
      return new Result(rows.schema().toDDL(), count, totals.files(), totals.bytes());
    } catch (Exception e) { // Spark throws checked exceptions that it does not declare
      paths.discard(e);
      throw failed(paths, e);
    }
  }

  private Dataset<Row> read(SparkSession spark, String input) {
    DataFrameReader reader = spark.read().format(from.spark());
    if (schema != null) {
      reader = reader.schema(schema);
    }
    switch (from) {
      case TFRECORD ->
          reader.option("recordType", type.optionValue()).option("binaryAsString", binaryAsString);
      case CSV ->
          // A schema's names are compared with the header's: by position alone values could land
          // in columns of others.
          reader
              .option("header", header)
              .option("escape", QUOTE_IN_QUOTES)
              .option("multiLine", multiLine)
              .option("inferSchema", schema == null)
              .option("enforceSchema", !header)
              .option("mode", "FAILFAST");
      case JSON -> reader.option("mode", "FAILFAST").option("multiLine", multiLine);
      case PARQUET -> {}
    }
    return reader.load(input);
  }

  private void write(Dataset<Row> rows, String output) {
    DataFrameWriter<Row> writer = rows.write().format(to.spark());
    if (to == FileFormat.TFRECORD) {
      writer.option("recordType", type.optionValue());
    } else if (to == FileFormat.CSV) {
      writer
          .option("header", header)
          .option("escape", QUOTE_IN_QUOTES)
          // Spark would trim texts.
          .option("ignoreLeadingWhiteSpace", false)
          .option("ignoreTrailingWhiteSpace", false);
    }
    if (compression != null) {
      writer.option("compression", compression);
    }
    writer.save(output);
  }

  private void checkFits(StructType columns) {
    if (to != FileFormat.CSV) {
      return;
    }
    List<String> unfit =
        Stream.of(columns.fields()).filter(Conversion::hasNoText).map(StructField::toDDL).toList();
    if (!unfit.isEmpty()) {
      throw new TfosException(
          CliError.UNFIT_FORMAT,
          "CSV has no place for the columns " + String.join(", ", unfit),
          "Convert to json or parquet, or leave them out by --schema.");
    }
  }

  private static boolean hasNoText(StructField column) {
    return column.dataType() instanceof BinaryType
        || column.dataType() instanceof ArrayType
        || column.dataType() instanceof MapType
        || column.dataType() instanceof StructType;
  }

  private static RuntimeException failed(ConversionPaths paths, Exception failure)
      throws IOException {
    Throwable root = failure;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof TfosException) {
        return new IllegalStateException(failure); // which says it better than could be said here
      }
      root = t;
    }
    if (failure instanceof IOException io) {
      throw io;
    }
    String message = root.getMessage() == null ? root.toString() : root.getMessage();
    return new TfosException(
        CliError.NOT_CONVERTED,
        "Cannot convert "
            + paths.input()
            + " to "
            + paths.output()
            + ": "
            + message.strip().lines().findFirst().orElse(""),
        "",
        failure);
  }
}
