/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.sql.rows.RecordType;
import org.tensorflowonspark.tfrecord.Compression;

class TFRecordOptionsTest {

  private static TFRecordOptions of(String... keysAndValues) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      given.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return TFRecordOptions.of(given, "_session_column");
  }

  @Test
  void keysAndNamesAreReadInAnyCase() {
    TFRecordOptions options =
        of("recordtype", "sequenceexample", "MODE", "permissive", "inferschema.samplefiles", "3");

    assertThat(options.get(TFRecordOptions.RECORD_TYPE)).isEqualTo(RecordType.SEQUENCE_EXAMPLE);
    assertThat(options.get(TFRecordOptions.MODE)).isEqualTo(ReadMode.PERMISSIVE);
    assertThat(options.get(TFRecordOptions.SAMPLE_FILES)).isEqualTo(3);
  }

  @Test
  void theColumnOfCorruptRecordsIsTheSessionsUnlessGiven() {
    assertThat(of().get(TFRecordOptions.CORRUPT_COLUMN)).isEqualTo("_session_column");
    assertThat(of("columnNameOfCorruptRecord", "bad").get(TFRecordOptions.CORRUPT_COLUMN))
        .isEqualTo("bad");
  }

  @ParameterizedTest
  @CsvSource({
    "recordTyp, recordType",
    "compresion, compression",
    "checkCRCs, checkCrc",
    "inferSchema.limits, inferSchema.limit",
    "infer_schema.limit, inferSchema.limit",
    "maxFilePerTrigger, maxFilesPerTrigger"
  })
  void aMisspeltOptionNamesTheNearOne(String key, String near) {
    assertThatThrownBy(() -> of(key, "1"))
        .hasMessage(
            "[TFOS-OPTION-001] The data source tfrecord has no option '"
                + key
                + "'. Did you mean '"
                + near
                + "'?");
  }

  @Test
  void anOptionThatIsLikeNoOtherIsRefusedWithAllThereAre() {
    assertThatThrownBy(() -> of("delimiter", ";"))
        .hasMessageContaining("no option 'delimiter'")
        .hasMessageContaining("recordType")
        .hasMessageContaining("inferSchema.sampleFiles");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "path",
        "pathGlobFilter",
        "RECURSIVEFILELOOKUP",
        "maxFilesPerTrigger",
        "checkpointLocation",
        "partitionOverwriteMode",
        "serialization.format",
        "fs.s3a.access.key",
        "__partition_columns"
      })
  void whatIsForSparkOrHadoopIsLetThrough(String key) {
    assertThat(of(key, "x").get(TFRecordOptions.RECORD_TYPE)).isEqualTo(RecordType.EXAMPLE);
  }

  @ParameterizedTest
  @CsvSource({
    "org.apache.hadoop.io.compress.GzipCodec, GZIP",
    "gzip, GZIP",
    "org.apache.hadoop.io.compress.DefaultCodec, ZLIB",
    "org.apache.hadoop.io.compress.DeflateCodec, ZLIB",
    "deflate, ZLIB",
    "none, NONE"
  })
  void codecsThatTensorFlowReadsAreTaken(String codec, Compression compression) {
    assertThat(of("codec", codec).writeCompression()).isEqualTo(compression);
    assertThat(of("codec", codec).compressionOf("a.tfrecord.gz")).isEqualTo(Compression.GZIP);
  }

  @Test
  void otherCodecsAndContradictionsAreRefused() {
    assertThatThrownBy(() -> of("codec", "org.apache.hadoop.io.compress.SnappyCodec"))
        .hasMessageStartingWith(
            "[TFOS-SOURCE-001] Option codec is 'org.apache.hadoop.io.compress.");
    assertThatThrownBy(() -> of("codec", "gzip", "compression", "zlib"))
        .hasMessageStartingWith(
            "[TFOS-SOURCE-002] Option codec is 'gzip' and option compression is 'zlib'");
    assertThat(of("codec", "gzip", "compression", "gzip").writeCompression())
        .isEqualTo(Compression.GZIP);
  }

  @Test
  void compressionIsToldByTheNameUnlessGiven() {
    assertThat(of().compressionOf("a.tfrecord.zlib")).isEqualTo(Compression.ZLIB);
    assertThat(of().compressionOf("a.tfrecord")).isEqualTo(Compression.NONE);
    assertThat(of("compression", "gzip").compressionOf("a.tfrecord")).isEqualTo(Compression.GZIP);
    assertThat(of().writeCompression()).isEqualTo(Compression.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "mode, STRICT, 'FAILFAST, PERMISSIVE, DROPMALFORMED'",
    "compression, snappy, 'auto, none, gzip, zlib'",
    "recordType, Examples, 'Example, SequenceExample, ByteArray'",
    "samplingRatio, 0, 'from 1.0E-6 to 1.0'",
    "maxRecordLength, 2g, 'at most 2147483583 bytes'"
  })
  void aValueOutOfRangeNamesTheRange(String key, String value, String range) {
    assertThatThrownBy(() -> of(key, value))
        .hasMessageStartingWith("[TFOS-OPTION-002] Option " + key + " is '" + value + "'")
        .hasMessageContaining(range);
  }

  @Test
  void readingFollowsTheOptions() {
    var read = of("checkCrc", "false", "maxRecordLength", "1k").readOptions();

    assertThat(read.checkCrc()).isFalse();
    assertThat(read.maxRecordLength()).isEqualTo(1024);
  }

  @Test
  void requiredFeaturesAreNotNullable() {
    StructType schema =
        new StructType().add("a", DataTypes.LongType).add("b", DataTypes.LongType, false);

    assertThat(of("requiredFeatures", "a").withRequired(schema).apply("a").nullable()).isFalse();
    assertThat(of("requiredFeatures", "a").withRequired(schema).apply("b").nullable()).isTrue();
    assertThat(of("requiredFeatures", "*").withRequired(schema).apply("b").nullable()).isFalse();
    assertThatThrownBy(() -> RequiredColumns.check(schema, "aa, b"))
        .hasMessage(
            "[TFOS-SOURCE-006] Option requiredFeatures names 'aa', which is no column. Did you mean"
                + " 'a'?");
  }

  @Test
  void theTableOfTheDocumentationHasEveryOption() {
    assertThat(TFRecordOptions.TABLE.toMarkdown())
        .contains("| `recordType` | name | `Example` |", "| `compression` | name | `auto` |");
  }
}
