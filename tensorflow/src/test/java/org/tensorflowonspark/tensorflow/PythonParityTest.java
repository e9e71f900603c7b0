/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a model computes here is what it computes in Python. */
class PythonParityTest {
  private static final double TOLERANCE = 2e-6;

  @ParameterizedTest
  @ValueSource(strings = {"linear", "multi-dim-mlp"})
  void gradientsAndStepsAreThoseOfPython(String name) {
    Map<String, Object> expected = Fixtures.expected(name);
    Map<String, Object> gradients = Fixtures.map(expected.get("gradients"));
    try (TrainableModel model = Fixtures.load(name);
        Batch batch = Fixtures.batch(model, name)) {
      assertThat(batch.weight()).isEqualTo(5.5);
      try (Gradients g = model.gradients(batch)) {
        assertThat(g.weight()).isEqualTo(5.5);
        assertThat(g.loss())
            .isCloseTo(Fixtures.numbers(gradients.get("loss"))[0], within(TOLERANCE));
        assertThat(g.size()).isPositive();
        for (int i = 0; i < g.size(); i++) {
          assertThat(Fixtures.doubles(g, i))
              .as("%s", g.spec(i))
              .containsExactly(Fixtures.numbers(gradients.get("grad_" + i)), within(TOLERANCE));
        }
      }
      int steps = (int) Fixtures.numbers(expected.get("steps"))[0];
      assertThat(steps).isGreaterThan(1);
      for (int i = 0; i < steps; i++) {
        try (Gradients g = model.gradients(batch)) {
          model.apply(g);
        }
        assertThat(model.iterations()).isEqualTo(i + 1);
      }
      assertThat(model.evaluate(batch).loss())
          .isCloseTo(Fixtures.numbers(expected.get("loss_after_steps"))[0], within(5e-6));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"linear", "multi-dim-mlp", "dropout-bn"})
  void evaluationAndPredictionAreThoseOfPython(String name) {
    Map<String, Object> evaluate = Fixtures.map(Fixtures.expected(name).get("evaluate"));
    Map<String, Object> served = Fixtures.map(Fixtures.expected(name).get("serving_default"));
    try (TrainableModel model = Fixtures.load(name);
        Batch batch = Fixtures.batch(model, name)) {
      Evaluation evaluation = model.evaluate(batch);
      assertThat(evaluation.loss())
          .isCloseTo(Fixtures.numbers(evaluate.get("loss"))[0], within(TOLERANCE));
      assertThat(evaluation.metrics()).hasSize(evaluate.size() - 1);
      evaluation
          .metrics()
          .forEach(
              (metric, value) ->
                  assertThat(value)
                      .isCloseTo(
                          Fixtures.numbers(evaluate.get("metric_" + metric))[0],
                          within(TOLERANCE)));
      try (TensorList prediction = model.predict(batch)) {
        assertThat(prediction.size()).isEqualTo(served.size());
        served.forEach(
            (output, values) ->
                assertThat(prediction.doubles(output))
                    .containsExactly(Fixtures.numbers(values), within(TOLERANCE)));
      }
    }
  }
}
