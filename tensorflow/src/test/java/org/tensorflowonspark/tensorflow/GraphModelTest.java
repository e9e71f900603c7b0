/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.framework.optimizers.Adam;
import org.tensorflow.framework.optimizers.GradientDescent;
import org.tensorflow.framework.optimizers.Momentum;
import org.tensorflow.framework.optimizers.Optimizer;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt32;
import org.tensorflowonspark.base.TfosException;

class GraphModelTest {
  @TempDir Path dir;

  /** y = w x + b, with w and b from zero. */
  private static GraphModel line(Function<Graph, Optimizer> optimizer) {
    return GraphModel.of(
        (tf, parts) -> {
          var x = parts.input("x", TFloat32.class);
          var y = parts.label("y", TFloat32.class);
          var w = parts.variable("w", tf.constant(0f));
          var b = parts.variable("b", tf.constant(0f));
          var prediction = tf.math.add(tf.math.mul(x, w), b);
          parts.output("prediction", prediction);
          parts.loss(tf.math.squaredDifference(prediction, y));
          parts.metric("mae", tf.math.abs(tf.math.sub(prediction, y)));
          parts.optimizer(optimizer);
        });
  }

  private static Batch points(TrainableModel model, int rows) {
    Random random = new Random(3);
    Batch batch = model.newBatch(rows);
    ByteBuffer x = batch.buffer("x");
    ByteBuffer y = batch.buffer("y");
    for (int i = 0; i < rows; i++) {
      float value = random.nextFloat() * 2 - 1;
      x.putFloat(value);
      y.putFloat(3 * value - 0.5f);
    }
    batch.setRows(rows);
    return batch;
  }

  private static Optimizer optimizer(String name, Graph graph) {
    return switch (name) {
      case "sgd" -> new GradientDescent(graph, 0.3f);
      case "momentum" -> new Momentum(graph, 0.05f, 0.9f);
      default -> new Adam(graph, 0.1f);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"sgd", "momentum", "adam"})
  void aLineIsFound(String name) {
    try (TrainableModel model = line(g -> optimizer(name, g)).open(Fixtures.OPTIONS);
        Batch batch = points(model, 64)) {
      VariablesTest.train(model, batch, 200);
      assertThat(model.iterations()).isEqualTo(200);
      Evaluation evaluation = model.evaluate(batch);
      assertThat(evaluation.loss()).isLessThan(1e-3);
      assertThat(evaluation.metrics()).containsOnlyKeys("mae");
      try (TensorList values = model.readVariables(List.of("w", "b"))) {
        assertThat(values.doubles("w")[0]).isCloseTo(3, within(0.05));
        assertThat(values.doubles("b")[0]).isCloseTo(-0.5, within(0.05));
      }
    }
  }

  @Test
  void gradientsAreWeightedMeansThatCanBeWorkedOutByHand() {
    try (TrainableModel model = line(g -> new GradientDescent(g, 0.5f)).open(Fixtures.OPTIONS);
        Batch batch = model.newBatch(3)) {
      batch.put("x", new float[] {1, 2, 9});
      batch.put("y", new float[] {1, -1, 9});
      batch.put(Batch.ROW_WEIGHTS, new float[] {3, 1, 9});
      batch.setRows(2);
      try (Gradients g = model.gradients(batch)) {
        assertThat(g.weight()).isEqualTo(4);
        assertThat(g.loss()).isEqualTo(1);
        assertThat(g.spec(0)).isEqualTo(TensorSpec.of("w", DType.FLOAT32));
        // d/dw: mean of -2 x y = (3 * -2 + 1 * 4) / 4; d/db: mean of -2 y = (3 * -2 + 1 * 2) / 4.
        assertThat(g.buffer(0).getFloat(0)).isEqualTo(-0.5f);
        assertThat(g.buffer(1).getFloat(0)).isEqualTo(-1f);
        model.apply(g);
      }
      try (TensorList values = model.readVariables(List.of("w", "b"))) {
        assertThat(values.doubles("w")[0]).isEqualTo(0.25);
        assertThat(values.doubles("b")[0]).isEqualTo(0.5);
      }
    }
  }

  @Test
  void itIsExportedLoadedAndGoesOnAlike() {
    Path target = dir.resolve("line");
    try (TrainableModel model = line(g -> new Adam(g, 0.1f)).open(Fixtures.OPTIONS);
        Batch batch = points(model, 16)) {
      VariablesTest.train(model, batch, 5);
      model.export(target);
      try (TrainableModel again = TrainableModel.load(target, Fixtures.OPTIONS);
          ServedModel served = ServedModel.load(target, Fixtures.OPTIONS);
          TensorList expected = model.predict(batch);
          TensorList predicted = served.predict(batch)) {
        assertThat(predicted.doubles("prediction")).containsExactly(expected.doubles("prediction"));
        assertThat(again.iterations()).isEqualTo(5);
        VariablesTest.assertSameVariables(model, again);
        VariablesTest.train(model, batch, 3);
        VariablesTest.train(again, batch, 3);
        VariablesTest.assertSameVariables(model, again);
        try (TensorList chief = model.readVariables();
            TrainableModel other = line(g -> new Adam(g, 0.1f)).open(Fixtures.OPTIONS)) {
          other.writeVariables(chief);
          VariablesTest.assertSameVariables(model, other);
          other.restore(target);
          assertThat(other.iterations()).isEqualTo(5);
        }
      }
    }
  }

  @Test
  void openingLeavesNothingOnDisk() throws IOException {
    Path probe = Files.createTempFile("probe", "");
    Path temporary = Objects.requireNonNull(probe.getParent());
    Files.delete(probe);
    try (TrainableModel model = line(g -> new Adam(g, 0.1f)).open(Fixtures.OPTIONS)) {
      assertThat(model.variableSpecs()).isNotEmpty();
      assertThat(temporary.toFile().list((d, n) -> n.startsWith("tfos-graph-"))).isEmpty();
    }
  }

  /** Adam worked out in double precision: the powers of beta move after all that read them. */
  @Test
  void adamIsAdam() {
    try (TrainableModel model = line(g -> new Adam(g, 0.1f)).open(Fixtures.OPTIONS);
        Batch batch = points(model, 16)) {
      double[] m = new double[2];
      double[] v = new double[2];
      double[] at = new double[2];
      for (int t = 1; t <= 10; t++) {
        try (Gradients g = model.gradients(batch)) {
          for (int i = 0; i < 2; i++) {
            double slope = Fixtures.doubles(g, i)[0];
            m[i] = 0.9 * m[i] + 0.1 * slope;
            v[i] = 0.999 * v[i] + 0.001 * slope * slope;
            double rate = 0.1 * Math.sqrt(1 - Math.pow(0.999, t)) / (1 - Math.pow(0.9, t));
            at[i] -= rate * m[i] / (Math.sqrt(v[i]) + 1e-8);
          }
          model.apply(g);
        }
        try (TensorList values = model.readVariables(List.of("w", "b"))) {
          assertThat(values.doubles("w")[0]).isCloseTo(at[0], within(1e-4));
          assertThat(values.doubles("b")[0]).isCloseTo(at[1], within(1e-4));
        }
      }
    }
  }

  @Test
  void anOperationWithoutGradientIsNamedWithTheWayOut() {
    GraphModel sparse =
        GraphModel.of(
            (tf, parts) -> {
              var x = parts.input("x", TFloat32.class, 4);
              var y = parts.label("y", TInt32.class);
              var w = parts.variable("w", tf.zeros(tf.array(4, 3), TFloat32.class));
              var logits = tf.linalg.matMul(x, w);
              parts.output("logits", logits);
              parts.loss(
                  tf.withName("cross").nn.sparseSoftmaxCrossEntropyWithLogits(logits, y).loss());
            });
    assertThatThrownBy(() -> sparse.export(dir.resolve("sparse")))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-MODEL-011]")
        .hasMessageContaining("of type SparseSoftmaxCrossEntropyWithLogits")
        .hasMessageContaining("'cross'")
        .hasMessageContaining("tf.oneHot")
        .hasMessageContaining("tensorflowonspark_export");
    assertThat(dir.resolve("sparse")).doesNotExist();
    assertThat(dir.toFile().list()).isEmpty();
  }

  @Test
  void anOperationWithoutGradientBesideThePathIsFine() {
    GraphModel model =
        GraphModel.of(
            (tf, parts) -> {
              var x = parts.input("x", TFloat32.class);
              var w = parts.variable("w", tf.constant(1f));
              var prediction = tf.math.mul(x, w);
              // No gradient for Digamma, and none is needed.
              parts.output("other", tf.math.digamma(prediction));
              parts.loss(tf.math.square(prediction));
            });
    try (TrainableModel opened = model.open(Fixtures.OPTIONS)) {
      assertThat(opened.signature().gradients()).hasSize(1);
    }
  }

  @Test
  void aGraphThatLacksSomethingIsRefused() {
    assertThatThrownBy(() -> GraphModel.of((tf, parts) -> {}).open(Fixtures.OPTIONS))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("TFOS-MODEL-016")
        .hasMessageContaining("no loss");
    assertThatThrownBy(() -> twoVariables(parts -> parts.variables().get(0)).open(Fixtures.OPTIONS))
        .hasMessageContaining("does not depend on the variable 'unused'");
    assertThatThrownBy(
            () ->
                GraphModel.of(
                        (tf, parts) -> {
                          var x = parts.input("x", TFloat32.class, 2);
                          var w = parts.variable("w", tf.constant(1f));
                          parts.output("out", x);
                          parts.loss(tf.math.mul(x, w));
                        })
                    .open(Fixtures.OPTIONS))
        .hasMessageContaining("instead of one number a row");
    assertThatThrownBy(
            () ->
                GraphModel.of(
                        (tf, parts) -> {
                          parts.input("x", TFloat32.class);
                          parts.label("x", TFloat32.class);
                        })
                    .open(Fixtures.OPTIONS))
        .hasMessageContaining("two of the column 'x'");
  }

  private static GraphModel twoVariables(Function<GraphParts, Operand<?>> output) {
    return GraphModel.of(
        (tf, parts) -> {
          var x = parts.input("x", TFloat32.class);
          var w = parts.variable("w", tf.constant(1f));
          parts.variable("unused", tf.constant(1f));
          parts.output("out", output.apply(parts));
          parts.loss(tf.math.mul(x, w));
        });
  }

  @Test
  void whatAnAllReduceWritesReachesNeitherConstantsNorVariables() {
    // The gradient of w is the constant c, that of v is v itself.
    GraphModel model =
        GraphModel.of(
            (tf, parts) -> {
              var x = parts.input("x", TFloat32.class);
              var w = parts.variable("w", tf.constant(new float[] {1, 2}));
              var v = parts.variable("v", tf.constant(new float[] {3, 4}));
              var c = tf.constant(new float[] {5, 6});
              var linear = tf.reduceSum(tf.math.mul(w, c), tf.constant(0));
              var squares = tf.nn.l2Loss(v);
              var each = tf.math.mul(tf.onesLike(x), tf.math.add(linear, squares));
              parts.output("out", each);
              parts.loss(each);
              parts.optimizer(g -> new GradientDescent(g, 0.1f));
            });
    try (TrainableModel opened = model.open(Fixtures.OPTIONS);
        Batch batch = opened.newBatch(1)) {
      batch.put("x", new float[] {1});
      batch.setRows(1);
      for (int round = 0; round < 3; round++) {
        try (Gradients g = opened.gradients(batch)) {
          assertThat(Fixtures.doubles(g, 0)).containsExactly(5, 6);
          assertThat(Fixtures.doubles(g, 1)).containsExactly(3, 4);
          g.buffer(0).asFloatBuffer().put(new float[] {-1, -1});
          g.buffer(1).asFloatBuffer().put(new float[] {-1, -1});
        }
      }
    }
  }

  @Test
  void aGraphMayBeWrittenAndSentElsewhere() throws Exception {
    Path target = dir.resolve("model");
    line(g -> new Adam(g, 0.1f)).export(target);
    assertThat(Files.readString(target.resolve("assets.extra/trainable.json")))
        .contains("\"inputs\": [\"x\"]", "\"labels\": [\"y\"]", "\"name\": \"w\"");
    try (TrainableModel model = TrainableModel.load(target, Fixtures.OPTIONS)) {
      assertThat(model.signature().inputs())
          .containsExactly(
              TensorSpec.of("x", DType.FLOAT32, -1), TensorSpec.of("y", DType.FLOAT32, -1));
      assertThat(model.iterations()).isZero();
    }
  }
}
