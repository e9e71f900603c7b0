/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.control.Progress;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.ServedModel;
import org.tensorflowonspark.tensorflow.TensorList;
import org.tensorflowonspark.testkit.LocalCluster;

class TrainerIT {
  private static final StructType POINTS =
      new StructType()
          .add("features", DataTypes.createArrayType(DataTypes.FloatType, false), false)
          .add("label", DataTypes.LongType, false);
  private static LocalCluster spark;

  @BeforeAll
  static void start() {
    spark = LocalCluster.builder().executors(2).cores(1).start();
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  private static List<Row> rows(int count, long seed) {
    Random random = new Random(seed);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int label = random.nextInt(3);
      Float[] x = new Float[4];
      for (int d = 0; d < 4; d++) {
        x[d] = (float) (random.nextGaussian() * 0.5 + (d == label ? 2 : 0));
      }
      rows.add(RowFactory.create(x, (long) label));
    }
    return rows;
  }

  private static Dataset<Row> points(int count, int partitions, long seed) {
    var rdd =
        JavaSparkContext.fromSparkContext(spark.spark().sparkContext())
            .parallelize(rows(count, seed), partitions);
    return spark.spark().createDataFrame(rdd, POINTS);
  }

  private static String model(String name) {
    return Path.of(System.getProperty("tfos.root"), "tensorflow/src/test/resources/models", name)
        .toString();
  }

  private static Trainer trainer() {
    return Trainer.of(spark.spark(), model("multi-dim-mlp"))
        .inputMapping(Map.of("features", "x", "label", "y"))
        .workers(2)
        .threads(1)
        .batchSize(32)
        .seed(5);
  }

  @Test
  void itLearnsReportsEveryEpochAndExportsAModelThatPredicts(@TempDir Path dir) throws Exception {
    List<Progress> seen = Collections.synchronizedList(new ArrayList<>());
    Path target = dir.resolve("trained");

    TrainingResult result =
        trainer()
            .epochs(3)
            .validation(points(301, 3, 2))
            .exportTo(target.toString())
            .listener(seen::add)
            .fit(points(2000, 5, 1));

    assertThat(result.end()).isEqualTo(TrainingResult.End.EPOCHS);
    assertThat(result.rows()).isEqualTo(6000);
    assertThat(result.history()).hasSize(3);
    assertThat(result.history()).allSatisfy(e -> assertThat(e.rows()).isEqualTo(2000));
    assertThat(result.last().loss()).isLessThan(result.history().get(0).loss());
    assertThat(result.last().figures()).containsKeys("accuracy", "val_loss", "val_accuracy");
    assertThat(result.last().figures().get("val_accuracy")).isGreaterThan(0.9);
    assertThat(seen).isNotEmpty();
    assertThat(seen.get(seen.size() - 1).values()).containsKey("val_loss");
    assertThat(accuracy(target, rows(301, 2)))
        .isCloseTo(result.last().figures().get("val_accuracy"), within(1e-6));
    try (var files = Files.list(dir)) {
      assertThat(files).containsExactly(target);
    }
  }

  private static double accuracy(Path exported, List<Row> rows) {
    int right = 0;
    try (ServedModel served = ServedModel.load(exported, ModelOptions.defaults());
        Batch batch = Batch.allocate(served.servedInputs(), rows.size())) {
      for (int r = 0; r < rows.size(); r++) {
        Object[] x = (Object[]) rows.get(r).get(0);
        for (int d = 0; d < 4; d++) {
          batch.buffer(0).putFloat((r * 4 + d) * 4, (Float) x[d]);
        }
      }
      batch.setRows(rows.size());
      try (TensorList outputs = served.predict(batch)) {
        double[] scores = outputs.doubles(0);
        for (int r = 0; r < rows.size(); r++) {
          int best = 0;
          for (int c = 1; c < 3; c++) {
            best = scores[r * 3 + c] > scores[r * 3 + best] ? c : best;
          }
          right += best == rows.get(r).getLong(1) ? 1 : 0;
        }
      }
    }
    return (double) right / rows.size();
  }

  @Test
  void aDeterministicRunRepeatsToTheBit() {
    Dataset<Row> data = points(777, 3, 9);

    TrainingResult once = trainer().epochs(2).deterministic().fit(data);
    TrainingResult again = trainer().epochs(2).deterministic().fit(data);
    TrainingResult otherSeed = trainer().epochs(2).deterministic().seed(6).fit(data);

    assertThat(again.weightsHash()).isEqualTo(once.weightsHash());
    assertThat(again.last().loss()).isEqualTo(once.last().loss());
    assertThat(otherSeed.weightsHash()).isNotEqualTo(once.weightsHash());
  }

  @Test
  void stepsEndATrainingBeforeItsEpochsDo() {
    TrainingResult result = trainer().epochs(50).maxSteps(7).fit(points(500, 4, 3));

    assertThat(result.end()).isEqualTo(TrainingResult.End.STEPS);
    assertThat(result.steps()).isEqualTo(7);
  }

  @Test
  void earlyStoppingEndsItWhenTheWatchedFigureGetsNoBetter() {
    TrainingResult result =
        trainer()
            .epochs(60)
            .validationFraction(0.3)
            .earlyStopping(EarlyStopping.onLoss("val_loss", 1).minDelta(0.05))
            .fit(points(600, 4, 4));

    assertThat(result.end()).isEqualTo(TrainingResult.End.EARLY_STOP);
    assertThat(result.history().size()).isBetween(2, 59);
  }

  @Test
  void dropoutAndBatchNormalisationTrainAcrossNodes() {
    Dataset<Row> wide =
        points(640, 4, 7)
            .selectExpr("concat(features, features) features", "cast(label % 2 as bigint) label");
    Trainer trainer =
        Trainer.of(spark.spark(), model("dropout-bn"))
            .inputMapping(Map.of("features", "x", "label", "y"))
            .workers(2)
            .threads(1)
            .deterministic()
            .epochs(2)
            .validation(wide.limit(100));

    TrainingResult once = trainer.fit(wide);

    assertThat(once.last().figures().get("val_loss")).isFinite().isPositive();
    assertThat(trainer.fit(wide).weightsHash()).isEqualTo(once.weightsHash());
  }

  @Test
  void layerStateIsTheMeanOverAllRowsHoweverFewThereAre() {
    Dataset<Row> wide =
        points(20, 2, 7)
            .selectExpr("concat(features, features) features", "cast(label % 2 as bigint) label");

    TrainingResult result =
        Trainer.of(spark.spark(), model("dropout-bn"))
            .inputMapping(Map.of("features", "x", "label", "y"))
            .workers(2)
            .threads(1)
            .batchSize(16)
            .epochs(3)
            .validation(wide)
            .fit(wide);

    // With moving averages of zero, inference would divide by nearly nothing.
    assertThat(result.history())
        .allSatisfy(e -> assertThat(e.figures().get("val_loss")).isBetween(0.0, 10.0));
  }

  @Test
  void validationWithoutRowsIsAnError() {
    assertThatThrownBy(() -> trainer().validation(points(5, 1, 1).limit(0)).fit(points(64, 2, 1)))
        .hasMessageContaining("[TFOS-TRAIN-006]");
  }

  @Test
  void aShuffleBeforeTheFeedAndAllPlacesOfSparkAreFine() {
    TrainingResult result =
        Trainer.of(spark.spark(), model("multi-dim-mlp"))
            .inputMapping(Map.of("features", "x", "label", "y"))
            .threads(1)
            .fit(points(500, 2, 3).repartition(7));

    assertThat(result.workers()).isEqualTo(2);
    assertThat(result.rows()).isEqualTo(500);
  }

  @Test
  void anEmptyDataSetIsAnError() {
    assertThatThrownBy(() -> trainer().fit(points(100, 2, 1).limit(0)))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-TRAIN-003]");
  }

  @Test
  void aMisspeltTensorNamesTheNearOne() {
    assertThatThrownBy(
            () ->
                Trainer.of(spark.spark(), model("multi-dim-mlp"))
                    .input("features", "xx")
                    .workers(2)
                    .fit(points(10, 2, 1)))
        .hasMessageContaining("'xx'")
        .hasMessageContaining("Did you mean 'x'?");
  }

  @Test
  void aColumnThatIsNotThereIsNamedOnTheDriver() {
    assertThatThrownBy(
            () ->
                Trainer.of(spark.spark(), model("multi-dim-mlp"))
                    .inputMapping(Map.of("feature", "x", "label", "y"))
                    .workers(2)
                    .fit(points(10, 2, 1)))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("'feature'")
        .hasMessageContaining("features");
  }

  @Test
  void aModelThatIsNotThereOrCannotBeTrainedIsNamed() {
    assertThatThrownBy(
            () -> Trainer.of(spark.spark(), "/no/such/model").workers(2).fit(points(10, 2, 1)))
        .hasMessageContaining("There is no model at")
        .hasMessageContaining("/no/such/model");
    assertThatThrownBy(
            () ->
                Trainer.of(spark.spark(), model("not-trainable")).workers(2).fit(points(10, 2, 1)))
        .hasMessageContaining("gradients");
  }

  @Test
  void anExportDoesNotReplaceWhatIsThereUnlessTold(@TempDir Path dir) throws Exception {
    Path mine = Files.writeString(dir.resolve("mine.txt"), "mine");

    assertThatThrownBy(() -> trainer().exportTo(dir.toString()).fit(points(64, 2, 1)))
        .hasMessageContaining("exists and is not empty");
    assertThat(mine).hasContent("mine");

    TrainingResult result = trainer().exportTo(dir.toString()).overwrite().fit(points(64, 2, 1));

    assertThat(result.steps()).isEqualTo(1);
    assertThat(dir.resolve("saved_model.pb")).exists();
    assertThat(mine).doesNotExist();
  }
}
