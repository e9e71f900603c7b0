/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.examples;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat_ws;
import static org.apache.spark.sql.functions.round;
import static org.apache.spark.sql.functions.transform;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.ServedModel;
import org.tensorflowonspark.tensorflow.TensorList;
import org.tensorflowonspark.testkit.LocalCluster;
import org.tensorflowonspark.train.TrainingResult;

/** Every example on two executors, with part of the images; what it exports is asked elsewhere. */
class ExamplesIT {
  private static final String MODEL = Docs.ROOT.resolve("examples/models/mnist-cnn").toString();
  private static final int TRAIN = 2000;
  private static final int TEST = 500;

  private static LocalCluster cluster;
  private static Dataset<Row> images;

  @TempDir Path dir;

  @BeforeAll
  static void start() throws IOException {
    cluster = LocalCluster.builder().executors(2).cores(1).start();
    images = read("train", TRAIN).cache();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void trainMnistAndPredict() throws IOException {
    Path target = dir.resolve("trained");
    TrainingResult result = TrainMnist.train(cluster.spark(), images, MODEL, target.toString());

    assertThat(result.history()).hasSize(3);
    assertThat(result.last().figures())
        .containsOnlyKeys("loss", "accuracy", "val_loss", "val_accuracy");
    assertThat(result.last().figures().get("val_accuracy")).isGreaterThan(0.8);
    Dataset<Row> test = read("t10k", TEST);
    double expected = accuracyOf(target, test);
    assertThat(expected).isGreaterThan(0.8);

    String answers = dir.resolve("answers").toString();
    Predict.run(cluster.spark(), test, target.toString(), answers);
    Row counted =
        cluster
            .spark()
            .read()
            .parquet(answers)
            .selectExpr(
                "count(*)",
                "avg(if(array_position(probabilities, array_max(probabilities)) = label + 1, 1, 0))")
            .first();
    assertThat(counted.getLong(0)).isEqualTo(TEST);
    assertThat(counted.getDouble(1)).isEqualTo(expected);
  }

  @Test
  void ownProgram() throws IOException {
    Path target = dir.resolve("trained");
    List<Double> losses = OwnProgram.run(cluster.spark(), images, MODEL, target.toString());

    assertThat(losses).hasSize(2).allSatisfy(loss -> assertThat(loss).isBetween(0.0, 1.0));
    assertThat(losses.get(1)).isEqualTo(losses.get(0));
    assertThat(accuracyOf(target, read("t10k", TEST))).isGreaterThan(0.8);
  }

  @Test
  void ownInput() throws IOException {
    Path csv = dir.resolve("csv");
    images
        .repartition(3)
        .select(
            concat_ws(
                ",",
                col("label"),
                transform(col("image"), p -> round(p.multiply(255)).cast("int"))))
        .write()
        .text(csv.toString());
    Path target = dir.resolve("trained");
    double accuracy = OwnInput.run(cluster.spark(), csv.toString(), MODEL, target.toString());

    assertThat(accuracy).isBetween(0.85, 1.0);
    assertThat(accuracyOf(target, read("t10k", TEST))).isGreaterThan(0.8);
  }

  @Test
  void tfRecordFiles() {
    String files = dir.resolve("records").toString();
    TFRecordFiles.write(images, files);

    List<Row> counts = TFRecordFiles.query(cluster.spark(), files).collectAsList();
    assertThat(counts).hasSize(10);
    assertThat(counts.stream().mapToLong(row -> row.getLong(1)).sum()).isEqualTo(TRAIN);

    TrainingResult result = TFRecordFiles.train(cluster.spark(), MODEL, files);
    assertThat(result.rows()).isBetween(2 * 1700L, 2 * 1900L);
    assertThat(result.last().figures().get("val_accuracy")).isGreaterThan(0.75);

    List<Long> rows = TFRecordFiles.trainByHand(cluster.spark(), MODEL, files);
    assertThat(rows).hasSize(2).allSatisfy(r -> assertThat(r).isGreaterThan(1000));
    assertThat(rows.get(0) + rows.get(1)).isEqualTo(2 * TRAIN);
  }

  @Test
  void graphInJava() throws IOException {
    Path target = dir.resolve("trained");
    TrainingResult result =
        GraphInJava.train(
            cluster.spark(), images, dir.resolve("model").toString(), target.toString());

    assertThat(result.last().figures().get("accuracy")).isGreaterThan(0.85);
    assertThat(accuracyOf(target, read("t10k", TEST))).isGreaterThan(0.8);
  }

  private static Dataset<Row> read(String part, int limit) throws IOException {
    return Mnist.read(cluster.spark(), Docs.ROOT.resolve("examples/data/mnist"), part, limit);
  }

  /** The share of the images that the exported model gets right, asked in this process. */
  private static double accuracyOf(Path model, Dataset<Row> images) {
    List<Row> rows = images.collectAsList();
    int right = 0;
    try (ServedModel served = ServedModel.load(model, ModelOptions.defaults());
        Batch batch = Batch.allocate(served.servedInputs(), rows.size())) {
      FloatBuffer pixels = batch.buffer("x").asFloatBuffer();
      rows.forEach(row -> row.<Float>getList(0).forEach(pixels::put));
      batch.setRows(rows.size());
      try (TensorList outputs = served.predict(batch)) {
        FloatBuffer scores = outputs.buffer("probabilities").asFloatBuffer();
        float[] of = new float[10];
        for (Row row : rows) {
          scores.get(of);
          right += best(of) == row.getLong(1) ? 1 : 0;
        }
      }
    }
    return (double) right / rows.size();
  }

  private static int best(float[] scores) {
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return best;
  }
}
