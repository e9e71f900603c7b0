/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.raise_error;
import static org.apache.spark.sql.functions.sha2;
import static org.apache.spark.sql.functions.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The data source over a real HDFS. */
class HdfsDataSourceIT {
  private static MiniHdfs hdfs;
  private static SparkSession spark;

  @BeforeAll
  static void start() throws IOException {
    hdfs = MiniHdfs.start(1);
    spark = LocalSpark.start(hdfs.configuration());
  }

  @AfterAll
  static void stop() throws IOException {
    spark.stop();
    hdfs.close();
  }

  private static Dataset<Row> rows(int from, int to) {
    Dataset<Row> ids = spark.range(from, to, 1, 3).toDF("id");
    return ids.select(
        col("id"),
        col("id").cast("float").divide(3).cast("float").as("ratio"),
        sha2(col("id").cast("string").cast("binary"), 512).as("name"),
        array(col("id"), col("id").plus(1)).as("pair"),
        col("id").mod(4).as("day"));
  }

  private static Dataset<Row> load(String name) {
    return spark
        .read()
        .format("tfrecord")
        .schema(rows(0, 1).schema())
        .load(hdfs.path(name).toString());
  }

  private static void save(Dataset<Row> data, SaveMode mode, String name) {
    data.write().format("tfrecord").mode(mode).save(hdfs.path(name).toString());
  }

  private static void assertSame(Dataset<Row> actual, Dataset<Row> expected) {
    assertThat(sorted(actual)).isEqualTo(sorted(expected));
  }

  private static List<String> sorted(Dataset<Row> data) {
    return data.select("id", "ratio", "name", "pair", "day").collectAsList().stream()
        .map(Row::toString)
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "zlib"})
  void whatIsWrittenIsReadEqual(String compression) {
    String path = hdfs.path("equal-" + compression).toString();
    rows(0, 3000).write().format("tfrecord").option("compression", compression).save(path);
    assertSame(load("equal-" + compression), rows(0, 3000));
    Dataset<Row> inferred = spark.read().format("tfrecord").load(path);
    assertThat(inferred.columns()).containsExactlyInAnyOrder("id", "ratio", "name", "pair", "day");
    assertSame(inferred, rows(0, 3000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"20000", "131072"})
  void everyRecordIsReadOnceForEverySplitSize(String bytes) {
    save(rows(0, 3000), SaveMode.Overwrite, "split");
    spark.conf().set("spark.sql.files.maxPartitionBytes", bytes);
    try {
      Dataset<Row> loaded = load("split");
      assertThat(loaded.rdd().getNumPartitions()).isGreaterThan(2);
      assertSame(loaded, rows(0, 3000));
    } finally {
      spark.conf().unset("spark.sql.files.maxPartitionBytes");
    }
  }

  @Test
  void saveModesDoAsTheySay() {
    save(rows(0, 10), SaveMode.ErrorIfExists, "modes");
    assertThatThrownBy(() -> save(rows(0, 20), SaveMode.ErrorIfExists, "modes"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("PATH_ALREADY_EXISTS");
    assertSame(load("modes"), rows(0, 10));
    save(rows(0, 20), SaveMode.Ignore, "modes");
    assertSame(load("modes"), rows(0, 10));
    save(rows(10, 20), SaveMode.Append, "modes");
    assertSame(load("modes"), rows(0, 20));
    save(rows(5, 9), SaveMode.Overwrite, "modes");
    assertSame(load("modes"), rows(5, 9));
  }

  @Test
  void partitionsAreDirectoriesAndOnlyThoseAskedForAreRead() throws IOException {
    String path = hdfs.path("partitioned").toString();
    rows(0, 400).write().format("tfrecord").partitionBy("day").save(path);
    Dataset<Row> loaded = load("partitioned");
    assertSame(loaded, rows(0, 400));
    Dataset<Row> day = loaded.where("day = 2");
    assertSame(day, rows(0, 400).where("day = 2"));

    // A file that cannot be read in another partition does no harm.
    Frames.write(hdfs.configuration(), hdfs.path("partitioned/day=3/bad"), new byte[100]);
    assertSame(load("partitioned").where("day = 2"), rows(0, 400).where("day = 2"));
    assertThatThrownBy(() -> load("partitioned").where("day = 3").collect())
        .hasStackTraceContaining(hdfs.path("partitioned/day=3/bad") + " at byte 0");
  }

  @Test
  void aFailedJobLeavesNothingToRead() throws IOException {
    String path = hdfs.path("failed").toString();
    Dataset<Row> dies =
        rows(0, 3000)
            .withColumn(
                "id",
                when(col("id").equalTo(2900), raise_error(lit("the writer dies")))
                    .otherwise(col("id")));
    assertThatThrownBy(() -> save(dies, SaveMode.Append, "failed"))
        .hasStackTraceContaining("the writer dies");
    if (hdfs.fileSystem().exists(hdfs.path("failed"))) {
      assertThat(RecordFiles.list(hdfs.configuration(), List.of(path)).files()).isEmpty();
    }
  }

  @Test
  void aFailedAppendLeavesWhatWasThere() {
    save(rows(0, 100), SaveMode.ErrorIfExists, "append");
    Dataset<Row> dies =
        rows(100, 3000).withColumn("day", raise_error(lit("the writer dies")).cast("bigint"));
    assertThatThrownBy(() -> save(dies, SaveMode.Append, "append"))
        .hasStackTraceContaining("the writer dies");
    assertSame(load("append"), rows(0, 100));
  }
}
