/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.tensorflowonspark.sql.rows.Examples.floats;
import static org.tensorflowonspark.sql.rows.Examples.longs;
import static org.tensorflowonspark.sql.rows.Examples.texts;
import static org.tensorflowonspark.sql.source.Records.example;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.Feature;
import org.tensorflowonspark.testkit.Eventually;

/** What a scan reads and hands out. */
class ScanTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  @TempDir Path temp;

  private static DataFrameReader reader() {
    return SPARK.session().read().format("tfrecord");
  }

  @Test
  void aFeatureThatIsNotReadIsNotLookedAt() {
    // What should be a feature is a varint without an end.
    byte[] damaged = example("id", longs(7), "other", texts("abcdefgh"));
    int at = new String(damaged, StandardCharsets.ISO_8859_1).indexOf("abcdefgh");
    damaged[at - 3] = (byte) 0xff;
    String path = Records.write(temp.resolve("a.tfrecord"), damaged).toString();
    Dataset<Row> data = reader().schema("id BIGINT, other STRING").load(path);

    assertThat(data.select("id").first().getLong(0)).isEqualTo(7);
    assertThatThrownBy(() -> data.select("other").first())
        .hasStackTraceContaining("[TFOS-ROW-008] file:" + path + " at byte 0: ");
  }

  @Test
  void onlyColumnsThatAQueryNeedsAreAskedOfTheScan() {
    String path = Records.write(temp.resolve("a.tfrecord"), Records.numbered(0, 3)).toString();

    assertThat(
            reader()
                .schema("id BIGINT, a STRING, b STRING")
                .load(path)
                .filter("id > 1")
                .select("a")
                .queryExecution()
                .executedPlan()
                .toString())
        .contains("FileScan tfrecord [id#")
        .contains("ReadSchema: struct<id:bigint,a:string>");
  }

  @Test
  void countingRowsDecodesNoFeature() {
    String misfits =
        Records.write(temp.resolve("a.tfrecord"), example("id", texts("a")), example("x", longs()))
            .toString();
    String garbage = Records.write(temp.resolve("b.tfrecord"), new byte[] {1, 2, 3}).toString();

    assertThat(reader().schema("id BIGINT").load(misfits).count()).isEqualTo(2);
    assertThatThrownBy(() -> reader().schema("id BIGINT").load(garbage).count())
        .hasStackTraceContaining("[TFOS-ROW-008] file:" + garbage + " at byte 0: ");
  }

  @Test
  void fileMetadataIsThere() throws Exception {
    Path file = Records.write(temp.resolve("a b%.tfrecord"), Records.numbered(5, 2));
    Row row =
        reader()
            .schema("id BIGINT")
            .load(temp.toString())
            .select(
                "id",
                "_metadata.file_name",
                "_metadata.file_path",
                "_metadata.file_size",
                "_metadata.file_modification_time",
                "_metadata.file_block_start",
                "_metadata.file_block_length")
            .orderBy("id")
            .first();

    assertThat(row.getLong(0)).isEqualTo(5);
    assertThat(row.getString(1)).isEqualTo("a%20b%25.tfrecord");
    assertThat(row.getString(2)).endsWith("/a%20b%25.tfrecord");
    assertThat(row.getLong(3)).isEqualTo(Files.size(file));
    assertThat(row.getTimestamp(4).getTime()).isEqualTo(file.toFile().lastModified());
    assertThat(row.getLong(5)).isZero();
    assertThat(row.getLong(6)).isEqualTo(Files.size(file));
  }

  @Test
  void partitionValuesOfEveryTypeFollowTheColumnsOfTheFile() {
    Records.write(temp.resolve("day=2024-05-01/name=ä/n=1/a.tfrecord"), Records.numbered(1, 1));
    Records.write(
        temp.resolve("day=2024-05-02/name=__HIVE_DEFAULT_PARTITION__/n=2/a.tfrecord"),
        Records.numbered(2, 1));
    Dataset<Row> data = reader().load(temp.toString()).orderBy("id");

    assertThat(data.collectAsList().stream().map(Row::toString))
        .containsExactly("[1,2024-05-01,ä,1]", "[2,2024-05-02,null,2]");
    assertThat(data.select("n", "name", "id").collectAsList().stream().map(Row::toString))
        .containsExactly("[1,ä,1]", "[2,null,2]");
    assertThat(data.select("n").orderBy("n").collectAsList().stream().map(Row::toString))
        .containsExactly("[1]", "[2]");
  }

  @Test
  void partitionsThatAreFilteredOutAreNotRead() throws Exception {
    Records.write(temp.resolve("n=1/a.tfrecord"), Records.numbered(1, 3));
    Files.writeString(Files.createDirectories(temp.resolve("n=2")).resolve("b.tfrecord"), "broken");
    Dataset<Row> data = reader().schema("id BIGINT, n INT").load(temp.toString());

    assertThat(data.filter("n = 1").count()).isEqualTo(3);
    assertThat(data.filter("n = 1").queryExecution().executedPlan().toString())
        .contains("PartitionFilters: [isnotnull(n#");
  }

  @Test
  void bytesAndRecordsReadAreCounted() throws Exception {
    byte[][] records = Records.numbered(0, 5000);
    Path file = Records.write(temp.resolve("a.tfrecord"), records);
    AtomicLong bytes = new AtomicLong();
    AtomicLong rows = new AtomicLong();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            bytes.addAndGet(end.taskMetrics().inputMetrics().bytesRead());
            rows.addAndGet(end.taskMetrics().inputMetrics().recordsRead());
          }
        };
    SPARK.session().sparkContext().addSparkListener(listener);
    try {
      reader().schema("id BIGINT").load(file.toString()).agg(Map.of("id", "sum")).first();
      SPARK.awaitListeners();
    } finally {
      SPARK.session().sparkContext().removeSparkListener(listener);
    }

    assertThat(rows).hasValue(5000);
    // Two tasks look beyond their border for the first record of the other.
    assertThat(bytes.get()).isBetween(Files.size(file), 3 * Files.size(file));
  }

  @Test
  void aFileIsClosedWhenATaskEndsBeforeItsLastRow() throws Exception {
    Path file = Records.write(temp.resolve("a.tfrecord"), Records.numbered(0, 100_000));
    Dataset<Row> data = reader().schema("id BIGINT").load(file.toString());

    assertThat(data.limit(3).collectAsList()).hasSize(3);
    assertThatThrownBy(() -> data.selectExpr("IF(id > 9, RAISE_ERROR('end'), '')").collectAsList())
        .hasStackTraceContaining("end");
    Eventually.within(
        Duration.ofSeconds(10), file + " is closed", () -> !openFiles().contains(file.toString()));
  }

  private static List<String> openFiles() {
    List<String> names = new ArrayList<>();
    for (File descriptor : new File("/proc/self/fd").listFiles()) {
      try {
        names.add(Files.readSymbolicLink(descriptor.toPath()).toString());
      } catch (IOException e) {
        // Closed since it was listed.
        names.add("");
      }
    }
    return names;
  }

  @Test
  void filesAreJoinedWithThoseOfOtherFormats() {
    Records.write(temp.resolve("records/a.tfrecord"), Records.numbered(0, 10));
    String parquet = temp.resolve("parquet").toString();
    SPARK.sql("SELECT id, id * id square FROM RANGE(5, 15)").write().parquet(parquet);
    Dataset<Row> squares = SPARK.session().read().parquet(parquet);

    assertThat(
            reader()
                .load(temp.resolve("records").toString())
                .join(squares, "id")
                .orderBy("id")
                .collectAsList()
                .stream()
                .map(row -> row.getLong(1)))
        .containsExactly(25L, 36L, 49L, 64L, 81L);
  }

  @Test
  void twoScansOfOneFileInOneTaskDoNotDisturbEachOther() {
    String path = Records.write(temp.resolve("a.tfrecord"), Records.numbered(0, 50)).toString();
    Dataset<Row> data = reader().schema("id BIGINT").load(path);

    assertThat(data.alias("a").join(data.alias("b"), "id").count()).isEqualTo(50);
    assertThat(data.coalesce(1).crossJoin(data.limit(3)).distinct().count()).isEqualTo(150);
  }

  @Test
  void namesAreTakenAsTheFileHasThem() {
    Feature one = longs(1);
    String path =
        Records.write(temp.resolve("a.tfrecord"), example("Id", one, "a.b", floats(2), "ü x", one))
            .toString();

    assertThat(reader().load(path).select("`a.b`", "id", "`ü x`").first())
        .extracting(Row::toString)
        .isEqualTo("[2.0,1,1]");
    assertThat(reader().schema("id BIGINT").load(path).first().isNullAt(0)).isTrue();
  }

  @Test
  void theOldNameAndSqlOnFilesReadTheSame() {
    String path = Records.write(temp.resolve("a.tfrecord"), Records.numbered(0, 4)).toString();
    List<Row> rows = reader().load(path).collectAsList();

    assertThat(SPARK.session().read().format("tfrecords").load(path).collectAsList())
        .isEqualTo(rows);
    assertThat(SPARK.sql("SELECT * FROM tfrecord.`" + path + "`").collectAsList()).isEqualTo(rows);
    assertThat(rows).hasSize(4);
  }
}
