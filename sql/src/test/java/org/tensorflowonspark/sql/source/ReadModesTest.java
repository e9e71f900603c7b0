/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.tensorflowonspark.sql.rows.Examples.longs;
import static org.tensorflowonspark.sql.rows.Examples.texts;
import static org.tensorflowonspark.sql.source.Records.example;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Damaged files and records that do not fit, in each mode. */
class ReadModesTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  @TempDir Path temp;

  private static DataFrameReader reader(String mode) {
    return SPARK.session().read().format("tfrecord").option("mode", mode);
  }

  /** Ten records, of which number 3 is damaged in the file. */
  private Path damagedFile() throws Exception {
    byte[][] records = Records.numbered(0, 10);
    Path file = Records.write(temp.resolve("damaged/a.tfrecord"), records);
    Records.damage(file, records, 3);
    return file;
  }

  /** Three records, of which the second holds text where a number belongs. */
  private Path misfittingFile() {
    return Records.write(
        temp.resolve("misfit/a.tfrecord"),
        example("id", longs(1)),
        example("id", texts("two")),
        example("id", longs(3)));
  }

  private static List<String> rows(Dataset<Row> data) {
    return data.collectAsList().stream().map(Row::toString).toList();
  }

  @Test
  void failfastNamesFileByteAndFeature() throws Exception {
    Path damaged = damagedFile();
    int at = Records.offset(Records.numbered(0, 10), 3);

    assertThatThrownBy(
            () -> reader("failfast").schema("id BIGINT").load(damaged.toString()).count())
        .hasStackTraceContaining("[TFOS-RECORD-002] file:" + damaged + " at byte " + at + ": ");
    assertThatThrownBy(
            () ->
                reader("FAILFAST")
                    .schema("id BIGINT")
                    .load(misfittingFile().toString())
                    .collectAsList())
        .hasStackTraceContaining("[TFOS-ROW-003] file:" + temp.resolve("misfit/a.tfrecord"))
        .hasStackTraceContaining(
            " at byte " + (16 + example("id", longs(1)).length) + ": feature 'id'");
  }

  @Test
  void permissiveTellsWhyInTheColumnOfCorruptRecords() throws Exception {
    List<Row> rows =
        reader("PERMISSIVE")
            .schema("id BIGINT, _corrupt_record STRING")
            .load(damagedFile().toString())
            .collectAsList();

    assertThat(rows).hasSize(10);
    for (int i = 0; i < 10; i++) {
      assertThat(rows.get(i).isNullAt(0)).isEqualTo(i == 3);
      assertThat(rows.get(i).isNullAt(1)).isEqualTo(i != 3);
    }
    assertThat(rows.get(3).getString(1))
        .startsWith("[TFOS-RECORD-002] file:" + temp.resolve("damaged/a.tfrecord") + " at byte ");
    assertThat(rows.get(9).getLong(0)).isEqualTo(9);
  }

  @Test
  void permissiveKeepsTheBytesOfRecordsThatDoNotFitInABinaryColumn() {
    List<Row> rows =
        reader("PERMISSIVE")
            .option("columnNameOfCorruptRecord", "bad")
            .schema("bad BINARY, id BIGINT")
            .load(misfittingFile().toString())
            .collectAsList();

    assertThat(rows.get(1).<byte[]>getAs("bad")).isEqualTo(example("id", texts("two")));
    assertThat(rows.get(1).isNullAt(1)).isTrue();
    assertThat(rows.get(2).<byte[]>getAs("bad")).isNull();
    assertThat(rows.get(2).getLong(1)).isEqualTo(3);
  }

  @Test
  void permissiveWithoutTheColumnGivesRowsOfNulls() throws Exception {
    Path file = misfittingFile();

    assertThat(rows(reader("PERMISSIVE").schema("id BIGINT").load(file.toString())))
        .containsExactly("[1]", "[null]", "[3]");
    assertThat(reader("PERMISSIVE").schema("id BIGINT").load(damagedFile().toString()).count())
        .isEqualTo(10);
  }

  @Test
  void aRecordIsCorruptWhicheverColumnsAQueryReads() {
    Dataset<Row> data =
        reader("PERMISSIVE")
            .schema("_corrupt_record STRING, id BIGINT, other STRING")
            .load(misfittingFile().toString());

    assertThat(data.filter("_corrupt_record IS NOT NULL").select("_corrupt_record").count())
        .isOne();
    assertThat(rows(data.select("other", "_corrupt_record")).get(1))
        .startsWith("[null,[TFOS-ROW-003]");
    assertThat(rows(data.select("id"))).containsExactly("[1]", "[null]", "[3]");
  }

  @Test
  void corruptRowsKeepTheValuesOfPartitions() throws Exception {
    byte[][] records = Records.numbered(0, 3);
    for (String part : List.of("a", "b")) {
      Records.damage(
          Records.write(temp.resolve("part=" + part + "/x.tfrecord"), records), records, 2);
    }

    assertThat(
            rows(
                reader("PERMISSIVE")
                    .schema("_corrupt_record STRING, id BIGINT, part STRING")
                    .load(temp.toString())
                    .selectExpr("id", "part", "_corrupt_record IS NULL")
                    .orderBy("part", "id")))
        .containsExactly(
            "[null,a,false]",
            "[0,a,true]",
            "[1,a,true]",
            "[null,b,false]",
            "[0,b,true]",
            "[1,b,true]");
  }

  @Test
  void theColumnOfCorruptRecordsIsTextOrBinary() {
    assertThatThrownBy(
            () ->
                reader("PERMISSIVE")
                    .schema("id BIGINT, _corrupt_record INT")
                    .load(misfittingFile().toString())
                    .collectAsList())
        .hasStackTraceContaining(
            "[TFOS-SOURCE-003] The column of corrupt records '_corrupt_record' is of type INT");
  }

  @Test
  void dropmalformedLeavesOutAndCounts() throws Exception {
    damagedFile();
    misfittingFile();
    Map<String, Long> counted = new ConcurrentHashMap<>();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onStageCompleted(SparkListenerStageCompleted stage) {
            scala.jdk.javaapi.CollectionConverters.asJava(stage.stageInfo().accumulables())
                .values()
                .stream()
                .filter(value -> value.name().contains("tfrecord.dropped"))
                .forEach(value -> counted.merge("dropped", (Long) value.value().get(), Long::sum));
          }
        };
    SPARK.session().sparkContext().addSparkListener(listener);
    try {
      assertThat(
              rows(
                  reader("DROPMALFORMED")
                      .schema("id BIGINT")
                      .load(temp.resolve("damaged").toString(), temp.resolve("misfit").toString())))
          .containsExactlyInAnyOrder(
              "[0]", "[1]", "[1]", "[2]", "[3]", "[4]", "[5]", "[6]", "[7]", "[8]", "[9]");
      SPARK.awaitListeners();
    } finally {
      SPARK.session().sparkContext().removeSparkListener(listener);
    }
    assertThat(counted).containsEntry("dropped", 2L);
  }

  @ParameterizedTest
  @CsvSource({"tfrecord", "tfrecord.gz", "tfrecord.zlib"})
  void aFileCutAtAnyByteOfItsEndLosesNothingInSilence(String end) throws Exception {
    byte[][] records = Records.numbered(0, 4);
    byte[] whole = Files.readAllBytes(Records.write(temp.resolve("whole." + end), records));
    int from = end.equals("tfrecord") ? Records.offset(records, 3) + 1 : whole.length - 12;
    Path cut = temp.resolve("cut." + end);

    for (int length = from; length < whole.length; length++) {
      Files.write(cut, Arrays.copyOf(whole, length));

      assertThatThrownBy(() -> reader("FAILFAST").schema("id BIGINT").load(cut.toString()).count())
          .as("cut at byte %d of %d", length, whole.length)
          .hasStackTraceContaining("[TFOS-RECORD-0")
          .hasStackTraceContaining(cut.toString());
      List<Row> rows =
          reader("PERMISSIVE")
              .schema("id BIGINT, _corrupt_record STRING")
              .load(cut.toString())
              .collectAsList();
      assertThat(rows.get(rows.size() - 1).getString(1))
          .as("cut at byte %d of %d", length, whole.length)
          .contains(cut.toString());
    }
  }

  @Test
  void sparksIgnoreCorruptFilesKeepsWhatCameBeforeTheDamage() throws Exception {
    assertThat(
            rows(
                reader("FAILFAST")
                    .option("ignoreCorruptFiles", true)
                    .schema("id BIGINT")
                    .load(damagedFile().toString())))
        .containsExactly("[0]", "[1]", "[2]");
  }

  @Test
  void sparksIgnoreMissingFilesLeavesOutAFileThatIsGone() throws Exception {
    Path gone = Records.write(temp.resolve("gone/a.tfrecord"), Records.numbered(0, 5));
    Records.write(temp.resolve("gone/b.tfrecord"), Records.numbered(5, 5));
    Dataset<Row> strict =
        reader("FAILFAST").schema("id BIGINT").load(temp.resolve("gone").toString());
    Dataset<Row> lenient =
        reader("FAILFAST")
            .option("ignoreMissingFiles", true)
            .schema("id BIGINT")
            .load(temp.resolve("gone").toString());
    Files.delete(gone);

    assertThat(lenient.count()).isEqualTo(5);
    assertThatThrownBy(strict::count).hasStackTraceContaining("a.tfrecord");
  }

  @Test
  void aFileThatChangedSinceItWasListedIsAnError() {
    Path file = Records.write(temp.resolve("a.tfrecord"), Records.numbered(0, 5));
    Dataset<Row> data = reader("FAILFAST").schema("id BIGINT").load(file.toString());
    Records.write(file, Records.numbered(0, 50));

    assertThatThrownBy(data::count).hasStackTraceContaining("[TFOS-FILE-002]");
  }

  @Test
  void aMissingFeatureIsNullUnlessItIsRequired() {
    String path =
        Records.write(
                temp.resolve("a.tfrecord"),
                example("id", longs(1), "x", longs(2)),
                example("id", longs(3)))
            .toString();

    assertThat(rows(reader("FAILFAST").schema("id BIGINT, x BIGINT").load(path)))
        .containsExactly("[1,2]", "[3,null]");
    assertThatThrownBy(
            () ->
                reader("FAILFAST")
                    .option("requiredFeatures", "x")
                    .schema("id BIGINT, x BIGINT")
                    .load(path)
                    .collectAsList())
        .hasStackTraceContaining("[TFOS-ROW-002] file:" + path + " at byte ")
        .hasStackTraceContaining("feature 'x' is missing");
  }
}
