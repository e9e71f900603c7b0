/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.testkit.LocalCluster;

/** Rows that do not fit the tensors of a program. */
class FeedErrorIT {
  private static LocalCluster spark;
  private Clean clean;

  @BeforeAll
  static void start() {
    spark = LocalCluster.builder().executors(2).cores(1).memoryMb(768).start();
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void before() {
    clean = Clean.before(spark);
  }

  private static Dataset<Row> good() {
    return Seen.data(spark.spark(), 0, 40, 40);
  }

  /** As {@link #good}, with another value in one column of row 57, which is in partition 1. */
  private static Dataset<Row> bad(String column, String value) {
    return good().withColumn(column, functions.expr("if(id = 57, " + value + ", " + column + ")"));
  }

  private static TFCluster<Seen> cluster() {
    return TFCluster.builder(spark.spark()).workers(2).call(ctx -> Seen.read(ctx, 8, s -> {}));
  }

  private void assertRefused(Dataset<Row> data, String... words) {
    Faults.Told told =
        Faults.timed(
            () -> {
              try (TFCluster<Seen> cluster = cluster()) {
                cluster.train(data, Epochs.of(1));
              }
            });
    assertThat(told.error()).isInstanceOf(TfosException.class);
    assertThat(told.error().getMessage()).startsWith("[TFOS-COLUMN").contains(words);
    told.within(Duration.ofSeconds(6)); // start and end of the cluster included
    clean.check();
  }

  @Test
  void aNullNamesColumnAndRow() {
    assertRefused(bad("values", "null"), "'values'", "row 17 of partition 1", "null");
  }

  @Test
  void aWrongLengthNamesColumnRowAndBothLengths() {
    assertRefused(
        bad("values", "array(float(1), float(2), float(3))"),
        "'values'",
        "row 17 of partition 1",
        "3",
        "4");
  }

  @Test
  void columnsAreCheckedBeforeARowIsSentAndTheClusterGoesOn() {
    try (TFCluster<Seen> cluster = cluster()) {
      assertThatThrownBy(
              () -> cluster.train(good().withColumnRenamed("values", "value"), Epochs.of(1)))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("'values'")
          .hasMessageContaining("value");
      assertThatThrownBy(
              () -> cluster.train(good().withColumn("id", functions.lit("x")), Epochs.of(1)))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("'id'")
          .hasMessageContaining("string");
      cluster.train(good(), Epochs.of(1));
      Seen.assertExact(cluster.await(), 0, 80, 1);
    }
    clean.check();
  }

  @Test
  void anExceptionOfTheDataSourceItselfComesOutWithItsCause() {
    Dataset<Row> failing =
        good().withColumn("id", functions.expr("if(id = 57, raise_error('broken input'), id)"));
    assertThatThrownBy(
            () -> {
              try (TFCluster<Seen> cluster = cluster()) {
                cluster.train(failing, Epochs.of(1));
              }
            })
        .hasMessageContaining("TFOS-FEED-003")
        .hasStackTraceContaining("broken input");
    clean.check();
  }

  @Test
  void theClusterAfterARefusedRowWorks() {
    assertRefused(bad("values", "null"), "'values'");
    try (TFCluster<Seen> cluster = cluster()) {
      cluster.train(good(), Epochs.of(1));
      Seen.assertExact(cluster.await(), 0, 80, 1);
    }
    clean.check();
  }
}
