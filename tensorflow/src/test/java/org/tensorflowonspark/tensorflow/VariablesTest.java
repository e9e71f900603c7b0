/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.base.TfosException;

class VariablesTest {

  static void train(TrainableModel model, Batch batch, int steps) {
    for (int i = 0; i < steps; i++) {
      try (Gradients g = model.gradients(batch)) {
        model.apply(g);
      }
    }
  }

  /** All variables of both, byte for byte. */
  static void assertSameVariables(TrainableModel a, TrainableModel b) {
    try (TensorList va = a.readVariables();
        TensorList vb = b.readVariables()) {
      assertThat(va.specs()).isEqualTo(vb.specs()).isNotEmpty();
      for (int i = 0; i < va.size(); i++) {
        assertThat(va.buffer(i)).as("%s", va.spec(i)).isEqualTo(vb.buffer(i));
      }
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
  void theVariablesOfOneMakeTheOtherGoOnAlike(String name) {
    try (TrainableModel chief = Fixtures.load(name);
        TrainableModel other = Fixtures.load(name);
        Batch batch = Data.batch(chief, 16, 16, 1)) {
      train(chief, batch, 3);
      try (TensorList sent = chief.readVariables();
          TensorList received = TensorList.allocate(sent.specs())) {
        for (int i = 0; i < sent.size(); i++) {
          received.buffer(i).put(sent.buffer(i));
        }
        other.writeVariables(received);
      }
      assertSameVariables(chief, other);
      assertThat(other.iterations()).isEqualTo(3);
      // Seeds and slots are among them, so both go the same way from here.
      train(chief, batch, 2);
      train(other, batch, 2);
      assertSameVariables(chief, other);
    }
  }

  @Test
  void valuesReadAreASnapshotAndValuesWrittenACopy() {
    try (TrainableModel model = Fixtures.load("linear");
        Batch batch = Data.batch(model, 8, 8, 2)) {
      List<String> name = List.of(model.signature().gradients().get(0).name());
      try (TensorList snapshot = model.readVariables(name)) {
        train(model, batch, 1);
        assertThat(snapshot.doubles(0)).containsOnly(0.0);
        ByteBuffer memory = snapshot.buffer(0);
        memory.asFloatBuffer().put(new float[] {1, 2, 3});
        model.writeVariables(snapshot);
        memory.asFloatBuffer().put(new float[] {7, 7, 7});
        try (TensorList now = model.readVariables(name)) {
          assertThat(now.doubles(0)).containsExactly(1, 2, 3);
          train(model, batch, 1);
          assertThat(now.doubles(0)).containsExactly(1, 2, 3);
        }
        assertThat(snapshot.doubles(0)).containsOnly(7.0);
      }
    }
  }

  @Test
  void theLearningRateCanBeSet() {
    try (TrainableModel model = Fixtures.load("linear")) {
      String rate = model.signature().learningRate();
      assertThat(rate).isEqualTo("sgd/learning_rate");
      try (TensorList value = model.readVariables(List.of("sgd/learning_rate"))) {
        assertThat(value.buffer(0).getFloat(0)).isEqualTo(0.1f);
        value.buffer(0).putFloat(0, 0.5f);
        model.writeVariables(value);
      }
      try (Batch batch = Data.batch(model, 8, 8, 2);
          Gradients g = model.gradients(batch)) {
        double[] gradient = Fixtures.doubles(g, 0);
        model.apply(g);
        try (TensorList w = model.readVariables(List.of(g.spec(0).name()))) {
          for (int i = 0; i < gradient.length; i++) {
            assertThat((float) w.doubles(0)[i]).isEqualTo((float) gradient[i] * -0.5f);
          }
        }
      }
    }
  }

  @Test
  void anUnknownNameOrAnotherShapeIsRefusedBeforeAnythingIsAssigned() {
    try (TrainableModel model = Fixtures.load("linear");
        TensorList unknown =
            TensorList.allocate(List.of(TensorSpec.of("linear/dense/kernl", DType.FLOAT32, 3, 1)));
        TensorList shaped =
            TensorList.allocate(
                List.of(TensorSpec.of("linear/dense/kernel", DType.FLOAT32, 4, 1)));
        TensorList typed =
            TensorList.allocate(
                List.of(
                    TensorSpec.of("linear/dense/bias", DType.FLOAT32, 1),
                    TensorSpec.of("linear/dense/kernel", DType.FLOAT64, 3, 1)))) {
      typed.buffer(0).putFloat(0, 5f);
      assertThatThrownBy(() -> model.writeVariables(unknown))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("TFOS-MODEL-015")
          .hasMessageContaining("Did you mean 'linear/dense/kernel'?");
      assertThatThrownBy(() -> model.writeVariables(shaped))
          .hasMessageContaining("float32[3,1]")
          .hasMessageContaining("float32[4,1]");
      assertThatThrownBy(() -> model.writeVariables(typed)).hasMessageContaining("float64[3,1]");
      try (TensorList bias = model.readVariables(List.of("linear/dense/bias"))) {
        assertThat(bias.doubles(0)).containsExactly(0.0);
      }
    }
  }
}
