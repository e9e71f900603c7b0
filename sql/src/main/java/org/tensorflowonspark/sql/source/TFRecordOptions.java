/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.base.Option;
import org.tensorflowonspark.base.OptionTable;
import org.tensorflowonspark.base.OptionValues;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.sql.hadoop.RecordFile;
import org.tensorflowonspark.sql.rows.RecordType;
import org.tensorflowonspark.sql.rows.RowEncoder;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.ReadOptions;

/**
 * The options of the data source, and their values in one scan or write. Checked on the driver;
 * immutable, and sent to executors.
 */
public final class TFRecordOptions implements java.io.Serializable {
  private static final long serialVersionUID = 1L;

  /** What the records are. */
  public static final Option<RecordType> RECORD_TYPE =
      Option.ofEnum(
          "recordType",
          RecordType.EXAMPLE,
          List.of(RecordType.values()),
          RecordType::optionValue,
          "What the records are: `Example`, `SequenceExample` or `ByteArray` (any bytes, one column `byteArray`).");

  /** How files are compressed. */
  static final Option<FileCompression> COMPRESSION =
      Option.ofEnum(
          "compression",
          FileCompression.AUTO,
          List.of(FileCompression.values()),
          FileCompression::text,
          "`none`, `gzip` or `zlib`. `auto` is none when writing; when reading, each file's is told by the end of its name: `.gz`, `.gzip`, `.zlib` or `.deflate`.");

  /** The same as a Hadoop codec. */
  public static final Option<String> CODEC =
      Option.ofString(
          "codec",
          "",
          "Compression of written files as the name of a Hadoop codec: `org.apache.hadoop.io.compress.GzipCodec` or `gzip`, `org.apache.hadoop.io.compress.DefaultCodec` or `deflate`. Others are refused, as TensorFlow reads no others.");

  /** How doubles are written. */
  static final Option<Doubles> DOUBLES =
      Option.ofEnum(
          "doubles",
          Doubles.NARROW,
          List.of(Doubles.values()),
          Doubles::text,
          "How columns of doubles and decimals are written: `narrow` as floats, as TensorFlow knows no other; `exact` as text, which comes back unchanged where the schema has such a column.");

  /** What becomes of damage. */
  static final Option<ReadMode> MODE =
      Option.ofEnum(
          "mode",
          ReadMode.FAILFAST,
          List.of(ReadMode.values()),
          ReadMode::name,
          "What a damaged file, or a record that does not fit the schema, leads to: `FAILFAST` an error, `PERMISSIVE` a row of nulls that tells why in the column of corrupt records, `DROPMALFORMED` no row; the accumulator `tfrecord.dropped` of the stage counts them, in each pass over the files. Only what a query reads is checked; all columns are where it reads the column of corrupt records.");

  /** Column of corrupt records. */
  public static final Option<String> CORRUPT_COLUMN =
      Option.ofString(
          "columnNameOfCorruptRecord",
          "_corrupt_record",
          "Column that `PERMISSIVE` fills where the schema has it: of type string with file, byte and reason, of type binary with the record. The session's `spark.sql.columnNameOfCorruptRecord` is the default.");

  /** Columns that may not be missing. */
  public static final Option<String> REQUIRED =
      Option.ofString(
          "requiredFeatures",
          "",
          "Columns, separated by commas, or `*` for all: a record without the feature of such a column is malformed. Otherwise the column is null there; Spark itself takes all columns of files for nullable, whatever the schema says.");

  /** Whether data is checked. */
  public static final Option<Boolean> CHECK_CRC =
      Option.ofBoolean(
          "checkCrc",
          true,
          "Whether the checksum of each record's data is checked; that of its length always is.");

  /** Longest record. */
  public static final Option<Long> MAX_RECORD_LENGTH =
      Option.ofBytes(
          "maxRecordLength",
          (ReadOptions.DEFAULT_MAX_RECORD_LENGTH >> 20) + "m",
          Integer.MAX_VALUE - 64,
          "Longest record that is taken for one; a longer one is damage.");

  /** Whether files are cut. */
  public static final Option<Boolean> SPLITTABLE =
      Option.ofBoolean(
          "splittable",
          true,
          "Whether several tasks may read one uncompressed file. A compressed file is always read whole by one task.");

  /** Share of records that inference looks at. */
  public static final Option<Double> SAMPLING_RATIO =
      Option.ofDouble(
          "samplingRatio",
          1.0,
          0.000001,
          1.0,
          "Share of the records that inference of the schema looks at, the same ones each time.");

  /** Files that inference looks at. */
  public static final Option<Integer> SAMPLE_FILES =
      Option.ofInt(
          "inferSchema.sampleFiles",
          0,
          0,
          "Number of files that inference of the schema looks at, spread evenly over all in order of their names; 0 for all.");

  /** Records of each file that inference looks at. */
  public static final Option<Integer> LIMIT =
      Option.ofInt(
          "inferSchema.limit",
          0,
          0,
          "Number of records at the beginning of each file that inference of the schema looks at; 0 for all.");

  /** What bytes become. */
  public static final Option<Boolean> BINARY_AS_STRING =
      Option.ofBoolean(
          "binaryAsString",
          true,
          "Whether inference of the schema takes features of bytes for strings; otherwise they are binary.");

  /** The table that documentation and resolution use. */
  public static final OptionTable TABLE =
      OptionTable.of(
          "",
          RECORD_TYPE,
          COMPRESSION,
          CODEC,
          DOUBLES,
          MODE,
          CORRUPT_COLUMN,
          REQUIRED,
          CHECK_CRC,
          MAX_RECORD_LENGTH,
          SPLITTABLE,
          SAMPLING_RATIO,
          SAMPLE_FILES,
          LIMIT,
          BINARY_AS_STRING);

  private final OptionValues values;
  private final FileCompression written;

  private TFRecordOptions(OptionValues values) {
    this.values = values;
    this.written = Codecs.compressionOf(values.get(CODEC), values.get(COMPRESSION));
  }

  /**
   * Checks what Spark hands over.
   *
   * @param given all options of a scan or write, those for Spark itself among them
   * @param corruptColumn the session's name of the column of corrupt records
   * @throws TfosException for an option that neither this source nor Spark has
   */
  static TFRecordOptions of(Map<String, String> given, String corruptColumn) {
    Map<String, String> session = new HashMap<>();
    session.put(CORRUPT_COLUMN.key(), corruptColumn);
    return new TFRecordOptions(TABLE.resolve(OptionNames.ours(given, TABLE), session));
  }

  <T> T get(Option<T> option) {
    return values.get(option);
  }

  /** How a file of this name is compressed, which is to be read. */
  Compression compressionOf(String name) {
    Compression told = values.get(COMPRESSION).told();
    return told != null ? told : RecordFile.compressionOf(name);
  }

  /** How to compress what is written. */
  Compression writeCompression() {
    Compression told = written.told();
    return told != null ? told : Compression.NONE;
  }

  /** An encoder of what is written. */
  RowEncoder encoder(StructType schema) {
    RecordType type = values.get(RECORD_TYPE);
    return values.get(DOUBLES) == Doubles.EXACT
        ? RowEncoder.withExactNumbers(schema, type)
        : RowEncoder.of(schema, type);
  }

  /** How records are read, but for compression. */
  ReadOptions readOptions() {
    return ReadOptions.of(Compression.NONE)
        .withCheckCrc(values.get(CHECK_CRC))
        .withMaxRecordLength(values.get(MAX_RECORD_LENGTH).intValue());
  }

  /** {@code schema} with the columns of {@link #REQUIRED} not nullable. */
  StructType withRequired(StructType schema) {
    return RequiredColumns.mark(schema, values.get(REQUIRED));
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
