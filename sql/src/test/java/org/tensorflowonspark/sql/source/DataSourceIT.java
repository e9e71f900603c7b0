/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.testkit.ExecutorProcess;
import org.tensorflowonspark.testkit.LocalCluster;

/** The data source where driver and executors are processes of their own. */
class DataSourceIT {
  private static LocalCluster cluster;

  @TempDir Path temp;

  @BeforeAll
  static void start() {
    cluster = LocalCluster.builder().executors(2).cores(1).start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Dataset<Row> sql(String query) {
    return cluster.spark().sql(query);
  }

  @Test
  void rowsAreWrittenInferredAndReadInSplits() throws Exception {
    Path path = temp.resolve("data");
    sql("SELECT id, ARRAY(id, -id) pair, CONCAT('n', id) name, id % 2 odd FROM RANGE(0, 5000, 1, 4)")
        .write()
        .format("tfrecord")
        .partitionBy("odd")
        .save(path.toString());
    cluster.spark().conf().set("spark.sql.files.maxPartitionBytes", 20_000);
    cluster.spark().conf().set("spark.sql.files.openCostInBytes", 0);

    Dataset<Row> data = cluster.spark().read().format("tfrecord").load(path.toString());

    assertThat(data.schema().simpleString())
        .isEqualTo("struct<id:bigint,name:string,pair:array<bigint>,odd:int>");
    assertThat(data.rdd().getNumPartitions()).isGreaterThan(8);
    assertThat(data.select("id").collectAsList().stream().map(row -> row.getLong(0)).sorted())
        .containsExactlyElementsOf(LongStream.range(0, 5000).boxed().toList());
    assertThat(data.filter("pair[0] != id OR pair[1] != -id OR name != CONCAT('n', id)").count())
        .isZero();
    assertThat(data.filter("odd != id % 2").count()).isZero();
  }

  @Test
  void whatIsDroppedOnExecutorsIsLeftOutAndAnErrorNamesTheFile() throws Exception {
    byte[][] records = Records.numbered(0, 100);
    Path file = Records.write(temp.resolve("a.tfrecord"), records);
    Records.damage(file, records, 42);

    assertThat(read("DROPMALFORMED", file).count()).isEqualTo(99);
    assertThatThrownBy(() -> read("FAILFAST", file).count())
        .hasStackTraceContaining("[TFOS-RECORD-002] file:" + file + " at byte ");
    List<Row> rows = read("PERMISSIVE", file).filter("_corrupt_record IS NOT NULL").collectAsList();
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0).getString(1)).contains(file.toString());
  }

  private static Dataset<Row> read(String mode, Path file) {
    return cluster
        .spark()
        .read()
        .format("tfrecord")
        .option("mode", mode)
        .schema("id BIGINT, _corrupt_record STRING")
        .load(file.toString());
  }

  /** Hands rows on; the process of the first attempt of the first task ends amid them. */
  private static Iterator<Long> dyingOnce(Iterator<Long> rows) {
    TaskContext task = TaskContext.get();
    boolean dies = task.partitionId() == 0 && task.attemptNumber() == 0;
    List<Long> all = new ArrayList<>();
    rows.forEachRemaining(all::add);
    Iterator<Long> iterator = all.iterator();
    return new Iterator<>() {
      private int count;

      @Override
      public boolean hasNext() {
        return iterator.hasNext();
      }

      @Override
      public Long next() {
        if (dies && ++count > 15_000) {
          Runtime.getRuntime().halt(1);
        }
        return iterator.next();
      }
    };
  }

  @Test
  void aWriterThatDiesLeavesNoFileAndItsRowsAreWrittenOnce() throws Exception {
    Path path = temp.resolve("data");
    List<ExecutorProcess> before = cluster.executors();
    cluster
        .spark()
        .range(0, 40_000, 1, 2)
        .mapPartitions((MapPartitionsFunction<Long, Long>) DataSourceIT::dyingOnce, Encoders.LONG())
        .toDF("id")
        .write()
        .format("tfrecord")
        .save(path.toString());
    cluster.awaitExecutors(Duration.ofSeconds(60));

    assertThat(before).filteredOn(ExecutorProcess::isAlive).hasSize(1);
    assertThat(Records.files(path)).hasSize(3).contains("_SUCCESS");
    assertThat(
            cluster.spark().read().format("tfrecord").load(path.toString()).collectAsList().stream()
                .map(row -> row.getLong(0))
                .sorted())
        .containsExactlyElementsOf(LongStream.range(0, 40_000).boxed().toList());
  }
}
