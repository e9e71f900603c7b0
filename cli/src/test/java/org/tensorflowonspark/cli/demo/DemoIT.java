/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.cli.console.Screen;

/** The demo's own part on a real cluster, with a job that knows the answers. */
class DemoIT {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @TempDir Path data;

  @BeforeEach
  void threeImages() throws IOException {
    for (String part : new String[] {"train", "t10k"}) {
      Files.write(
          data.resolve(part + "-images-idx3-ubyte"),
          IdxFilesTest.images(0x803, 3, 28, 28, 3 * 784));
      Files.write(
          data.resolve(part + "-labels-idx1-ubyte"), IdxFilesTest.labels(0x801, 3, 1, 2, 3));
    }
  }

  @Test
  void goesFromFilesToTheTable() {
    ConfusionTable table = demo(new KnowingJob()).run();
    assertThat(table.total()).isEqualTo(3);
    assertThat(table.accuracy()).isEqualTo(2 / 3.0);
    assertThat(bytes.toString(UTF_8))
        .contains("3 training and 3 test images")
        .contains("2 executor processes")
        .contains("loss 0.5000, accuracy 0.7500 after 8 steps")
        .contains("accuracy 0.6667");
  }

  @Test
  void afterAFailureNothingIsLeft() {
    DemoJob failing =
        new KnowingJob() {
          @Override
          public Dataset<Row> predict(SparkSession spark, String model, Dataset<Row> images) {
            throw new IllegalStateException("no model");
          }
        };
    assertThatThrownBy(() -> demo(failing).run()).hasMessage("no model");
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  private Demo demo(DemoJob job) {
    DemoSettings settings = new DemoSettings(data, 2, 2, 1, 64, "model", "export", 7);
    return new Demo(job, settings, new Screen(new PrintStream(bytes, true, UTF_8), false, 80));
  }

  /** Checks the data, and takes every three for an eight. */
  private static class KnowingJob implements DemoJob {
    @Override
    public Trained train(
        SparkSession spark,
        Dataset<Row> training,
        Dataset<Row> validation,
        DemoSettings settings,
        Consumer<TrainingProgress> progress) {
      assertThat(training.schema().toDDL())
          .isEqualTo("image ARRAY<FLOAT> NOT NULL,label BIGINT NOT NULL");
      Row second = training.where("label = 2").first();
      assertThat(second.<Float>getList(0)).hasSize(784).contains(16 / 255f, 1f);
      progress.accept(new TrainingProgress(8, 3, 0.5, 0.75));
      return new Trained(8, 0.5, 0.75);
    }

    @Override
    public Dataset<Row> predict(SparkSession spark, String model, Dataset<Row> images) {
      return images.withColumn(
          "prediction", when(col("label").equalTo(3), functions.lit(8L)).otherwise(col("label")));
    }
  }
}
