/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.feed.InferenceFeed;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.DType;
import org.tensorflowonspark.tensorflow.TensorList;
import org.tensorflowonspark.tensorflow.TensorSpec;
import org.tensorflowonspark.testkit.LocalCluster;

class InferenceIT {
  private static final int BATCH = 4;
  private static LocalCluster spark;

  @BeforeAll
  static void start() {
    spark = LocalCluster.builder().executors(2).cores(1).start();
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  /** Answers each row with twice its number and the vector reversed; {@code off} more rows. */
  private static void doubling(NodeContext ctx, int off) throws Exception {
    List<TensorSpec> outputs =
        List.of(
            TensorSpec.of("twice", DType.INT64, -1), TensorSpec.of("pair", DType.FLOAT32, -1, 2));
    try (Batch batch = Batch.allocate(Data.NUMBERED, BATCH);
        InferenceFeed feed =
            ctx.feed(Data.NUMBERED).named("inference").batch(BATCH).openToAnswer(outputs)) {
      while (feed.next(batch)) {
        int n = batch.rows() + off;
        try (TensorList answers =
            TensorList.allocate(List.of(outputs.get(0).shaped(n), outputs.get(1).shaped(n, 2)))) {
          for (int row = 0; row < batch.rows(); row++) {
            long id = batch.buffer("id").getLong(row * 8);
            answers.buffer(0).putLong(row * 8, 2 * id);
            answers.buffer(1).putFloat(row * 8, (float) id).putFloat(row * 8 + 4, (float) -id);
          }
          feed.answer(answers);
        }
      }
    }
  }

  @Test
  void everyRowGetsItsAnswerInOrderWhateverThePartitionSizes() {
    Dataset<Row> data = Data.numbered(spark.spark(), 0, 1, BATCH - 1, BATCH, BATCH + 1, 1000, 0);
    try (var cluster = TFCluster.builder(spark.spark()).workers(2).start(ctx -> doubling(ctx, 0))) {
      List<Row> rows = cluster.inference(data).select("id", "twice", "pair").collectAsList();

      assertThat(rows).hasSize(1000 + 3 * BATCH + 1);
      for (int i = 0; i < rows.size(); i++) {
        assertThat(rows.get(i).getLong(0)).isEqualTo(i);
        assertThat(rows.get(i).getLong(1)).isEqualTo(2L * i);
        assertThat(rows.get(i).<Float>getList(2)).containsExactly((float) i, (float) -i);
      }
    }
  }

  @Test
  void aNodeElsewhereAnswersATaskWhoseExecutorHasNone() {
    Dataset<Row> data = Data.numbered(spark.spark(), 50, 50, 50, 50);
    try (var cluster = TFCluster.builder(spark.spark()).workers(1).start(ctx -> doubling(ctx, 0))) {
      Row sums = cluster.inference(data).selectExpr("sum(id)", "sum(twice)", "count(*)").first();

      assertThat(sums.getLong(0)).isEqualTo(19900);
      assertThat(sums.getLong(1)).isEqualTo(39800);
      assertThat(sums.getLong(2)).isEqualTo(200);
    }
  }

  @Test
  void tooManyAnswersAreAnErrorWithBothNumbers() {
    Dataset<Row> data = Data.numbered(spark.spark(), 10);
    assertThatThrownBy(
            () -> {
              try (var cluster =
                  TFCluster.builder(spark.spark()).workers(1).start(ctx -> doubling(ctx, 1))) {
                cluster.inference(data).count();
              }
            })
        .satisfies(
            e ->
                assertThat(allMessages(e))
                    .contains("[TFOS-FEED-007]", "gave 4 rows and the program answered 5"));
  }

  @Test
  void aFeedThatNobodyAnswersIsNamed() {
    Dataset<Row> data = Data.numbered(spark.spark(), 10);
    try (var cluster =
        TFCluster.builder(spark.spark())
            .workers(1)
            .start(ctx -> ctx.feed(Data.NUMBERED).named("inference").open().close())) {
      assertThatThrownBy(() -> cluster.inference(data))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("No program answers feed 'inference'");
    }
  }

  private static String allMessages(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable t = failure; t != null; t = t.getCause()) {
      text.append(t.getMessage()).append('\n');
      for (Throwable s : t.getSuppressed()) {
        text.append(allMessages(s));
      }
    }
    return text.toString();
  }
}
