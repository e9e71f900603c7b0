/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.base.TfosException;

class FilesTest {
  @TempDir Path dir;

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"linear", "dropout-bn", "string-lookup"})
  void whatWasSavedIsRestoredAndGoesOnAlike(String name) {
    try (TrainableModel model = Fixtures.load(name);
        TrainableModel other = Fixtures.load(name);
        Batch batch = Data.batch(model, 16, 16, 1)) {
      VariablesTest.train(model, batch, 4);
      model.save(dir.resolve("step"));
      VariablesTest.train(other, batch, 1);
      other.restore(dir.resolve("step"));
      assertThat(other.iterations()).isEqualTo(4);
      VariablesTest.assertSameVariables(model, other);
      VariablesTest.train(model, batch, 2);
      VariablesTest.train(other, batch, 2);
      VariablesTest.assertSameVariables(model, other);
      model.restore(Fixtures.path(name));
      assertThat(model.iterations()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"linear", "dropout-bn", "string-lookup", "lstm"})
  void anExportIsAnOrdinaryTrainableSavedModel(String name) throws IOException {
    Path target = dir.resolve("deep").resolve("trained");
    try (TrainableModel model = Fixtures.load(name);
        Batch batch = Data.batch(model, 16, 16, 1)) {
      VariablesTest.train(model, batch, 3);
      model.export(target);
      assertThat(names(target)).contains("assets.extra", "saved_model.pb", "variables");
      assertThat(names(dir.resolve("deep"))).containsExactly("trained");
      assertThat(target.resolve("assets.extra/trainable.json"))
          .hasSameTextualContentAs(Fixtures.path(name).resolve("assets.extra/trainable.json"));
      try (TrainableModel again = TrainableModel.load(target, Fixtures.OPTIONS);
          ServedModel served = ServedModel.load(target, Fixtures.OPTIONS);
          TensorList expected = model.predict(batch);
          TensorList predicted = served.predict(batch)) {
        VariablesTest.assertSameVariables(model, again);
        assertThat(again.iterations()).isEqualTo(3);
        assertThat(again.signature()).isEqualTo(model.signature());
        assertThat(predicted.doubles(0)).containsExactly(expected.doubles(0));
      }
    }
  }

  @Test
  void aDirectoryWithContentIsRefusedUnlessItMayBeReplaced() throws IOException {
    Path target = Files.createDirectory(dir.resolve("taken"));
    Files.writeString(target.resolve("precious"), "x");
    try (TrainableModel model = Fixtures.load("linear")) {
      assertThatThrownBy(() -> model.export(target))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("TFOS-MODEL-012");
      assertThatThrownBy(() -> model.save(target)).hasMessageContaining("TFOS-MODEL-012");
      assertThat(names(target)).containsExactly("precious");
      model.export(target, true);
      assertThat(names(target)).contains("saved_model.pb").doesNotContain("precious");
      model.export(Files.createDirectory(dir.resolve("empty")));
      assertThat(names(dir)).containsExactly("empty", "taken");
    }
  }

  @Test
  void aFailedExportLeavesNothing() throws IOException {
    Path source = dir.resolve("source");
    NewDirectory.write(
        source, false, to -> SavedModelFiles.copyAllButVariables(Fixtures.path("linear"), to));
    copyVariables(source);
    try (TrainableModel model = TrainableModel.load(source, Fixtures.OPTIONS)) {
      NewDirectory.deleteTree(source);
      assertThatThrownBy(() -> model.export(dir.resolve("out")))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("TFOS-MODEL-013")
          .hasRootCauseInstanceOf(IOException.class);
      Path file = Files.writeString(dir.resolve("file"), "x");
      assertThatThrownBy(() -> model.save(file.resolve("below")))
          .hasMessageContaining("TFOS-MODEL-013");
      assertThat(names(dir)).containsExactly("file");
    }
  }

  private static void copyVariables(Path to) throws IOException {
    Path variables = Files.createDirectory(to.resolve("variables"));
    for (String name : names(Fixtures.path("linear").resolve("variables"))) {
      Files.copy(
          Fixtures.path("linear").resolve("variables").resolve(name), variables.resolve(name));
    }
  }

  @Test
  void variablesOfAnotherModelOrNoneAreRefused() {
    try (TrainableModel model = Fixtures.load("linear")) {
      assertThatThrownBy(() -> model.restore(dir))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("TFOS-MODEL-014")
          .hasMessageContaining("variables.index");
      assertThatThrownBy(() -> model.restore(Fixtures.path("lstm")))
          .hasMessageContaining("TFOS-MODEL-014")
          .hasMessageContaining("where the model has DT_");
      try (TensorList kernel = model.readVariables(List.of("linear/dense/kernel"))) {
        assertThat(kernel.spec(0).dims()).containsExactly(3, 1);
        assertThat(kernel.doubles(0)).containsOnly(0.0);
      }
    }
  }

  @Test
  void damagedVariablesAreRefused() throws IOException {
    try (TrainableModel model = Fixtures.load("multi-dim-mlp")) {
      model.save(dir.resolve("whole"));
      Path data = dir.resolve("whole/variables.data-00000-of-00001");
      byte[] bytes = Files.readAllBytes(data);
      bytes[bytes.length / 2] ^= 1;
      Files.write(data, bytes);
      assertThatThrownBy(() -> model.restore(dir.resolve("whole")))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("TFOS-MODEL-014")
          .hasMessageContaining("DATA_LOSS");
      Files.write(data, java.util.Arrays.copyOf(bytes, bytes.length / 2));
      assertThatThrownBy(() -> model.restore(dir.resolve("whole")))
          .hasMessageContaining("TFOS-MODEL-014");
    }
  }
}
