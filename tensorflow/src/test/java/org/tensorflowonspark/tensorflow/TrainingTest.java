/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "linear",
        "two-inputs",
        "dropout-bn",
        "float64",
        "lstm",
        "string-lookup",
        "multi-dim-mlp"
      })
  void twentyStepsReduceTheLoss(String name) {
    try (TrainableModel model = Fixtures.load(name);
        Batch batch = Data.batch(model, 32, 32, 1)) {
      Evaluation before = model.evaluate(batch);
      for (int i = 0; i < 20; i++) {
        try (Gradients g = model.gradients(batch)) {
          assertThat(g.metrics().keySet()).containsExactlyElementsOf(model.signature().metrics());
          model.apply(g);
        }
      }
      assertThat(model.iterations()).isEqualTo(20);
      assertThat(model.evaluate(batch).loss()).isLessThan(before.loss());
    }
  }

  /** An oracle of its own: what the loss does when a variable is moved a little. */
  @ParameterizedTest
  @ValueSource(strings = {"float64", "two-inputs", "lstm", "string-lookup"})
  void gradientsAreTheSlopesOfTheLoss(String name) {
    try (TrainableModel model = Fixtures.load(name);
        Batch batch = Data.batch(model, 8, 7, 2);
        Gradients g = model.gradients(batch)) {
      boolean exact = name.equals("float64");
      double step = exact ? 1e-6 : 1e-2;
      for (int i = 0; i < g.size(); i++) {
        for (int element = 0; element < Math.min(4, g.spec(i).elements()); element++) {
          double slope =
              (lossMoved(model, batch, g.spec(i).name(), element, step)
                      - lossMoved(model, batch, g.spec(i).name(), element, -step))
                  / (2 * step);
          assertThat(Fixtures.doubles(g, i)[element])
              .as("%s element %d", g.spec(i), element)
              .isCloseTo(slope, within(exact ? 1e-7 : 1e-3));
        }
      }
    }
  }

  private static double lossMoved(
      TrainableModel model, Batch batch, String variable, int element, double by) {
    try (TensorList original = model.readVariables(List.of(variable));
        TensorList moved = model.readVariables(List.of(variable))) {
      ByteBuffer memory = moved.buffer(0);
      if (moved.spec(0).dtype() == DType.FLOAT64) {
        memory.putDouble(element * 8, memory.getDouble(element * 8) + by);
      } else {
        memory.putFloat(element * 4, (float) (memory.getFloat(element * 4) + by));
      }
      model.writeVariables(moved);
      double loss = model.evaluate(batch).loss();
      model.writeVariables(original);
      return loss;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "linear",
        "two-inputs",
        "dropout-bn",
        "float64",
        "lstm",
        "string-lookup",
        "multi-dim-mlp"
      })
  void noRowsGiveZerosOfWeightZero(String name) {
    try (TrainableModel model = Fixtures.load(name);
        Batch batch = Data.batch(model, 4, 0, 3)) {
      for (int round = 0; round < 3; round++) {
        try (Gradients g = model.gradients(batch);
            Gradients atTheSameTime = model.gradients(batch)) {
          assertThat(g.weight()).isZero();
          assertThat(g.loss()).isZero();
          assertThat(g.metrics().keySet()).containsExactlyElementsOf(model.signature().metrics());
          for (int i = 0; i < g.size(); i++) {
            assertThat(g.spec(i)).isEqualTo(model.signature().gradients().get(i));
            assertThat(Fixtures.doubles(g, i)).containsOnly(0.0);
            // As an all-reduce does: the next zeros must be zero all the same.
            g.buffer(i).put((byte) 1);
          }
          assertThat(atTheSameTime.buffer(0).get(0)).isZero();
        }
      }
      assertThat(model.evaluate(batch)).extracting(Evaluation::weight).isEqualTo(0.0);
    }
  }

  @Test
  void aPartialBatchGivesWhatABatchOfThatSizeGives() {
    try (TrainableModel model = Fixtures.load("multi-dim-mlp");
        Batch large = Data.batch(model, 32, 32, 4)) {
      for (int rows : new int[] {5, 31, 1, 17, 32}) {
        try (Batch small = Data.batch(model, rows, rows, 5)) {
          Data.fill(model, large, rows, 5);
          try (Gradients a = model.gradients(large);
              Gradients b = model.gradients(small)) {
            assertThat(a.weight()).isEqualTo(rows);
            assertThat(a.loss()).isEqualTo(b.loss());
            for (int i = 0; i < a.size(); i++) {
              assertThat(Fixtures.doubles(a, i)).containsExactly(Fixtures.doubles(b, i));
            }
          }
          try (TensorList prediction = model.predict(large)) {
            assertThat(prediction.spec(0).dims()).containsExactly(rows, 3);
          }
        }
      }
    }
  }

  @Test
  void theWeightedMeanOfTwoBatchesIsThatOfBothTogether() {
    try (TrainableModel model = Fixtures.load("linear");
        Batch both = model.newBatch(3);
        Batch first = model.newBatch(2);
        Batch second = model.newBatch(2)) {
      both.put("x", new float[] {1, 2, 3, -1, 0, 1, 4, 1, -2});
      both.put("y", new float[] {1, -2, 0.5f});
      both.put(Batch.ROW_WEIGHTS, new float[] {1, 3, 0.5f});
      both.setRows(3);
      first.put("x", new float[] {1, 2, 3, -1, 0, 1});
      first.put("y", new float[] {1, -2});
      first.put(Batch.ROW_WEIGHTS, new float[] {1, 3});
      first.setRows(2);
      second.put("x", new float[] {4, 1, -2});
      second.put("y", new float[] {0.5f});
      second.put(Batch.ROW_WEIGHTS, new float[] {0.5f});
      second.setRows(1);
      try (Gradients all = model.gradients(both);
          Gradients a = model.gradients(first);
          Gradients b = model.gradients(second)) {
        assertThat(all.weight()).isEqualTo(4.5);
        assertThat(a.weight() + b.weight()).isEqualTo(4.5);
        for (int i = 0; i < all.size(); i++) {
          double[] expected = Fixtures.doubles(all, i);
          for (int e = 0; e < expected.length; e++) {
            double mean = (4 * Fixtures.doubles(a, i)[e] + 0.5 * Fixtures.doubles(b, i)[e]) / 4.5;
            assertThat(mean).isCloseTo(expected[e], within(1e-6));
          }
        }
      }
    }
  }

  @Test
  void gradientsWrittenInPlaceAreThoseApplied() {
    try (TrainableModel model = Fixtures.load("linear");
        Batch batch = Data.batch(model, 8, 8, 6);
        Gradients g = model.gradients(batch)) {
      for (int i = 0; i < g.size(); i++) {
        ByteBuffer memory = g.buffer(i);
        while (memory.hasRemaining()) {
          memory.putFloat(10f);
        }
      }
      model.apply(g);
      try (TensorList variables = model.readVariables(List.of(g.spec(0).name()))) {
        // All weights are zero, SGD with 0.1.
        assertThat(variables.doubles(0)).containsOnly(-1.0);
      }
    }
  }

  @Test
  void trainingMovesTheStateOfLayersAndEvaluationDoesNot() {
    try (TrainableModel model = Fixtures.load("dropout-bn");
        Batch batch = Data.batch(model, 16, 16, 7)) {
      List<String> state =
          model.variableSpecs().stream()
              .map(TensorSpec::name)
              .filter(n -> n.contains("moving_") || n.contains("seed_generator"))
              .toList();
      assertThat(state).hasSize(3);
      double[][] start = values(model, state);
      model.evaluate(batch);
      model.predict(batch).close();
      assertThat(values(model, state)).isDeepEqualTo(start);
      model.gradients(batch).close();
      double[][] after = values(model, state);
      for (int i = 0; i < after.length; i++) {
        assertThat(after[i]).as(state.get(i)).isNotEqualTo(start[i]);
      }
    }
  }

  private static double[][] values(TrainableModel model, List<String> names) {
    try (TensorList list = model.readVariables(names)) {
      double[][] values = new double[list.size()][];
      for (int i = 0; i < values.length; i++) {
        values[i] = list.doubles(i);
      }
      return values;
    }
  }
}
