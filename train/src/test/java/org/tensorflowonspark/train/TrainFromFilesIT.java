/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.files.TFRecordInput;
import org.tensorflowonspark.testkit.LocalCluster;

/** Training from TFRecord files that the nodes read themselves, as the data source wrote them. */
class TrainFromFilesIT {
  private static LocalCluster spark;

  @TempDir static Path dir;

  private static Dataset<Row> points;
  private static String files;

  @BeforeAll
  static void start() {
    spark = LocalCluster.builder().executors(2).cores(1).start();
    // Three clusters of points in four dimensions, from hashes so that any plan gives the same.
    points =
        spark
            .spark()
            .range(0, 1000, 1, 3)
            .selectExpr(
                "id % 3 as label",
                "transform(array(0, 1, 2, 3), d -> cast((hash(id, d) % 1000) / 2000.0"
                    + " + if(d = id % 3, 2, 0) as float)) as features");
    files = dir.resolve("points").toString();
    points.write().format("tfrecord").save(files);
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  private static String model() {
    return Path.of(
            System.getProperty("tfos.root"), "tensorflow/src/test/resources/models/multi-dim-mlp")
        .toString();
  }

  private static Trainer trainer(int workers) {
    return Trainer.of(spark.spark(), model())
        .inputMapping(Map.of("features", "x", "label", "y"))
        .workers(workers)
        .threads(1)
        .batchSize(32)
        .seed(5);
  }

  @Test
  void itLearnsAndValidatesWithAPartOfTheRecords() {
    TrainingResult result =
        trainer(2).epochs(3).validationFraction(0.2).fit(TFRecordInput.of(files));

    assertThat(result.history()).hasSize(3);
    long rows = result.history().get(0).rows();
    assertThat(rows).isBetween(720L, 880L);
    assertThat(result.history()).allSatisfy(e -> assertThat(e.rows()).isEqualTo(rows));
    assertThat(result.rows()).isEqualTo(3 * rows);
    assertThat(result.last().loss()).isLessThan(result.history().get(0).loss());
    assertThat(result.last().figures().get("val_accuracy")).isGreaterThan(0.9);
  }

  @Test
  void oneNodeLearnsTheSameFromFilesAsFromRows() {
    // One file, so that both give one node all rows in one order.
    String one = dir.resolve("one").toString();
    points.coalesce(1).write().format("tfrecord").save(one);

    TrainingResult fromRows =
        trainer(1).shuffle(false).deterministic().epochs(2).fit(points.coalesce(1));
    TrainingResult fromFiles =
        trainer(1).shuffle(false).deterministic().epochs(2).fit(TFRecordInput.of(one));

    assertThat(fromFiles.weightsHash()).isEqualTo(fromRows.weightsHash());
    assertThat(fromFiles.rows()).isEqualTo(2000).isEqualTo(fromRows.rows());
  }

  @Test
  void runsWithTheSameSeedAreEqualToTheBit() {
    TFRecordInput input = TFRecordInput.of(files);
    TrainingResult once = trainer(2).deterministic().epochs(2).fit(input);
    TrainingResult again = trainer(2).deterministic().epochs(2).fit(input);
    TrainingResult other = trainer(2).deterministic().epochs(2).seed(6).fit(input);

    assertThat(again.weightsHash()).isEqualTo(once.weightsHash());
    assertThat(other.weightsHash()).isNotEqualTo(once.weightsHash());
  }

  @Test
  void rowsAndFilesMayServeTogether() {
    TrainingResult result = trainer(2).validation(TFRecordInput.of(files)).fit(points);
    assertThat(result.last().figures().get("val_accuracy")).isGreaterThan(0.5);

    result = trainer(2).validation(points).fit(TFRecordInput.of(files));
    assertThat(result.last().figures().get("val_accuracy")).isGreaterThan(0.5);
  }

  @Test
  void aPathWithoutFilesAndAMissingFeatureAreErrors() {
    assertThatThrownBy(() -> trainer(2).fit(TFRecordInput.of(dir.resolve("nowhere").toString())))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("nowhere");
    assertThatThrownBy(
            () ->
                Trainer.of(spark.spark(), model())
                    .inputMapping(Map.of("feature", "x", "label", "y"))
                    .workers(2)
                    .fit(TFRecordInput.of(files)))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("'feature'")
        .hasMessageContaining(".tfrecord at byte");
  }

  @Test
  void aDamagedFileIsNamedOnTheDriver() throws IOException {
    Path bad = dir.resolve("bad");
    points.coalesce(1).write().format("tfrecord").save(bad.toString());
    try (Stream<Path> parts = Files.list(bad)) {
      Path part =
          parts.filter(p -> p.getFileName().toString().startsWith("part-")).findFirst().get();
      byte[] bytes = Files.readAllBytes(part);
      bytes[bytes.length / 2] ^= 1;
      Files.write(part, bytes);
      Files.deleteIfExists(part.resolveSibling("." + part.getFileName() + ".crc"));
    }

    assertThatThrownBy(() -> trainer(2).fit(TFRecordInput.of(bad.toString())))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("TFOS-RECORD-00")
        .hasMessageContaining(".tfrecord at byte");
    TrainingResult skipping = trainer(2).fit(TFRecordInput.of(bad.toString()).skipDamaged());
    assertThat(skipping.rows()).isEqualTo(999);
  }
}
