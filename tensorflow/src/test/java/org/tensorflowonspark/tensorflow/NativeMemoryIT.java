/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.tensorflow.framework.optimizers.Adam;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TString;

/** Thousands of steps leave the process no larger: whatever is not closed would show. */
class NativeMemoryIT {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final long MB = 1 << 20;

  /** Stretches after the first, which warms up. */
  private static final int STRETCHES = 5;

  @BeforeAll
  static void onLinuxOnly() {
    assumeThat(STATUS).exists();
  }

  private static long residentBytes() throws IOException {
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith("RssAnon:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    throw new IOException("No RssAnon in " + STATUS);
  }

  /**
   * A leak grows in every stretch of rounds alike; heap and native pools settle sooner or later,
   * when depends on the collector and what else the machine does. So one flat stretch is proof.
   */
  private static void assertFlat(int rounds, long bound, IntConsumer round) throws IOException {
    List<Long> growth = new ArrayList<>();
    int done = 0;
    long before = 0;
    for (int stretch = 0; stretch <= STRETCHES; stretch++) {
      for (int i = 0; i < rounds; i++) {
        round.accept(done++);
      }
      long now = residentBytes();
      if (stretch > 0) {
        growth.add(now - before);
        if (now - before < bound) {
          return;
        }
      }
      before = now;
    }
    assertThat(growth).as("growth of each stretch").anyMatch(bytes -> bytes < bound);
  }

  /** A step moves 4 MB of gradients: 300 that leak one each would be 1.2 GB. */
  @Test
  void stepsOfPartialBatchesLeaveNothing() throws IOException {
    GraphModel wide =
        GraphModel.of(
            (tf, parts) -> {
              var x = parts.input("x", TFloat32.class, 1000);
              var y = parts.label("y", TFloat32.class, 1000);
              var w = parts.variable("w", tf.zeros(tf.array(1000, 1000), TFloat32.class));
              var out = tf.linalg.matMul(x, w);
              parts.output("out", out);
              parts.loss(tf.math.mean(tf.math.squaredDifference(out, y), tf.constant(1)));
              parts.optimizer(graph -> new Adam(graph, 0.001f));
            });
    try (TrainableModel model = wide.open(Fixtures.OPTIONS);
        Batch batch = model.newBatch(8)) {
      Random random = new Random(1);
      assertFlat(
          300,
          40 * MB,
          round -> {
            batch.buffer("x").putFloat(random.nextFloat());
            batch.setRows(round % 9);
            try (Gradients g = model.gradients(batch)) {
              g.buffer(0).putFloat(0, g.buffer(0).getFloat(0));
              if (round % 4 == 0) {
                model.apply(g);
              }
            }
            model.evaluate(batch);
            model.predict(batch).close();
            if (round % 100 == 0) {
              try (TensorList variables = model.readVariables()) {
                model.writeVariables(variables);
              }
              try (TensorList one = model.readVariables(List.of("w"))) {
                assertThat(one.size()).isEqualTo(1);
              }
            }
          });
    }
  }

  /** 64 strings of 4 KB a round: 3,000 rounds that leak them would be 200 MB. */
  @Test
  void stringsLeaveNothing() throws IOException {
    GraphModel echo =
        GraphModel.of(
            (tf, parts) -> {
              var s = parts.input("s", TString.class);
              var y = parts.label("y", TFloat32.class);
              var w = parts.variable("w", tf.constant(1f));
              parts.output("s", tf.identity(s));
              parts.loss(tf.math.mul(y, w));
            });
    try (TrainableModel model = echo.open(Fixtures.OPTIONS);
        Batch batch = model.newBatch(64)) {
      byte[] data = new byte[64 * 4096];
      int[] offsets = new int[65];
      Random random = new Random(2);
      assertFlat(
          3000,
          30 * MB,
          round -> {
            int rows = 1 + round % 64;
            for (int i = 1; i <= rows; i++) {
              offsets[i] = offsets[i - 1] + random.nextInt(4096);
            }
            batch.setStrings(0, 0, data, java.util.Arrays.copyOf(offsets, rows + 1));
            batch.setRows(rows);
            try (TensorList out = model.predict(batch)) {
              assertThat(out.spec(0).dims()).containsExactly(rows);
            }
          });
    }
  }

  /** Opening and closing models and batches. */
  @Test
  void modelsLeaveNothing() throws IOException {
    assertFlat(
        30,
        30 * MB,
        round -> {
          try (TrainableModel model = Fixtures.load("string-lookup");
              Batch batch = Data.batch(model, 8, 8, round)) {
            VariablesTest.train(model, batch, 1);
          }
        });
  }
}
