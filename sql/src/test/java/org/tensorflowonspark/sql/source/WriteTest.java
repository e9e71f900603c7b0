/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  @TempDir Path temp;

  private Path target() {
    return temp.resolve("data");
  }

  private static DataFrameWriter<Row> writer(String query) {
    return SPARK.sql(query).coalesce(1).write().format("tfrecord");
  }

  private Dataset<Row> read() {
    return SPARK.session().read().format("tfrecord").load(target().toString());
  }

  private List<String> rows() {
    return read().orderBy("id").collectAsList().stream().map(Row::toString).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "compression, none, .tfrecord",
    "compression, gzip, .tfrecord.gz",
    "compression, zlib, .tfrecord.zlib",
    "codec, org.apache.hadoop.io.compress.GzipCodec, .tfrecord.gz",
    "codec, org.apache.hadoop.io.compress.DefaultCodec, .tfrecord.zlib"
  })
  void filesAreNamedAndCompressedAsAsked(String option, String value, String end) throws Exception {
    writer("SELECT id FROM RANGE(100)").option(option, value).save(target().toString());

    List<Path> files = Records.dataFiles(target());
    assertThat(files).hasSize(1);
    assertThat(files.get(0).toString()).matches(".*/part-00000-[-0-9a-f]+-c000\\" + end);
    try (InputStream in = Files.newInputStream(files.get(0));
        InputStream plain =
            end.endsWith(".gz")
                ? new GZIPInputStream(in)
                : end.endsWith(".zlib") ? new InflaterInputStream(in) : in) {
      // The length of the first record: 8 bytes, little-endian.
      byte[] length = plain.readNBytes(8);
      assertThat(length[0]).isPositive();
      assertThat(List.of(length[1], length[4], length[7])).containsOnly((byte) 0);
    }
    assertThat(read().count()).isEqualTo(100);
  }

  @Test
  void saveModesAreSparks() throws Exception {
    writer("SELECT 1L id").save(target().toString());

    assertThatThrownBy(() -> writer("SELECT 2L id").save(target().toString()))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("PATH_ALREADY_EXISTS");
    writer("SELECT 3L id").mode(SaveMode.Ignore).save(target().toString());
    assertThat(rows()).containsExactly("[1]");
    writer("SELECT 4L id").mode(SaveMode.Append).save(target().toString());
    assertThat(rows()).containsExactly("[1]", "[4]");
    writer("SELECT 5L id").mode(SaveMode.Overwrite).save(target().toString());
    assertThat(rows()).containsExactly("[5]");
    assertThat(Records.files(target())).hasSize(2).contains("_SUCCESS");
  }

  @Test
  void partitionsAreFoldersAndNotFeatures() throws Exception {
    writer("SELECT id, id % 2 AS odd, CONCAT('p ', id % 2) AS name FROM RANGE(4)")
        .partitionBy("odd", "name")
        .save(target().toString());

    assertThat(Records.dataFiles(target())).hasSize(2);
    assertThat(Files.isDirectory(target().resolve("odd=1/name=p 1"))).isTrue();
    assertThat(rows()).containsExactly("[0,0,p 0]", "[1,1,p 1]", "[2,0,p 0]", "[3,1,p 1]");
    SPARK
        .sql("SELECT 9L id, 1L odd, 'p 1' name")
        .write()
        .format("tfrecord")
        .option("partitionOverwriteMode", "dynamic")
        .partitionBy("odd", "name")
        .mode(SaveMode.Overwrite)
        .save(target().toString());
    assertThat(rows()).containsExactly("[0,0,p 0]", "[2,0,p 0]", "[9,1,p 1]");
  }

  @Test
  void filesEndAfterAsManyRecordsAsAsked() throws Exception {
    writer("SELECT id FROM RANGE(10)").option("maxRecordsPerFile", 4).save(target().toString());

    assertThat(Records.dataFiles(target())).hasSize(3);
    assertThat(read().count()).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({"none", "gzip", "zlib"})
  void aDataFrameOfNoRowsIsReadWithASchemaAndHasNoneOfItsOwn(String compression) {
    writer("SELECT id FROM RANGE(10) WHERE id > 10")
        .option("compression", compression)
        .save(target().toString());

    assertThat(
            SPARK
                .session()
                .read()
                .format("tfrecord")
                .schema("id BIGINT")
                .load(target().toString())
                .collectAsList())
        .isEmpty();
    assertThatThrownBy(this::read)
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("UNABLE_TO_INFER_SCHEMA");
  }

  @ParameterizedTest
  @CsvSource({
    "'STRUCT(1 AS a)', Example, UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE",
    "'MAP(1, 2)', Example, UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE",
    "'INTERVAL 1 DAY', Example, UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE",
    "'ARRAY(ARRAY(ARRAY(1)))', SequenceExample, UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE",
    "'ARRAY(ARRAY(1))', Example, TFOS-ROW-001",
    "'1', ByteArray, TFOS-ROW-001"
  })
  void aColumnThatCannotBeWrittenFailsBeforeAnyTask(String value, String type, String error)
      throws Exception {
    try (JobCounter jobs = new JobCounter(SPARK)) {
      assertThatThrownBy(
              () ->
                  writer("SELECT " + value + " AS odd_one")
                      .option("recordType", type)
                      .save(target().toString()))
          .hasMessageContaining(error)
          .hasMessageContaining("odd_one");
      assertThat(jobs.count()).isZero();
    }
    assertThat(Records.files(target())).isEmpty();
  }

  @Test
  void aRowThatCannotBeWrittenFailsNamingColumnAndRowAndLeavesNoFile() throws Exception {
    assertThatThrownBy(
            () ->
                writer("SELECT IF(id < 7, ARRAY(id), ARRAY(id, NULL)) AS list FROM RANGE(10)")
                    .save(target().toString()))
        .hasStackTraceContaining("[TFOS-SOURCE-005] Row 7 of ")
        .hasStackTraceContaining("[TFOS-ROW-006]")
        .hasStackTraceContaining("'list'");
    assertThat(Records.files(target())).isEmpty();
  }

  @Test
  void aTaskThatDiesLeavesNoFileAndSparesWhatWasThere() throws Exception {
    writer("SELECT 1L id").save(target().toString());

    assertThatThrownBy(
            () ->
                writer(
                        "SELECT IF(id < 5000, id, CAST(RAISE_ERROR('dead') AS BIGINT)) AS id FROM RANGE(9999)")
                    .mode(SaveMode.Append)
                    .save(target().toString()))
        .hasStackTraceContaining("dead");
    assertThat(Records.dataFiles(target())).hasSize(1);
    assertThat(rows()).containsExactly("[1]");
  }

  @Test
  void aMisspeltOptionIsAnErrorWhenWritingAndReading() {
    assertThatThrownBy(
            () -> writer("SELECT 1L id").option("compresion", "gzip").save(target().toString()))
        .hasMessageContaining("Did you mean 'compression'?");
    writer("SELECT 1L id").save(target().toString());
    assertThatThrownBy(
            () ->
                SPARK
                    .session()
                    .read()
                    .format("tfrecord")
                    .option("sampleRatio", 1)
                    .load(target().toString()))
        .hasMessageContaining("Did you mean 'samplingRatio'?");
    assertThatThrownBy(
            () ->
                SPARK
                    .session()
                    .read()
                    .format("tfrecord")
                    .schema("id BIGINT")
                    .option("recordtypes", "Example")
                    .load(target().toString())
                    .collectAsList())
        .hasMessageContaining("Did you mean 'recordType'?");
  }
}
