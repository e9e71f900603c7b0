/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.SavedModel;
import org.tensorflow.proto.SignatureDef;
import org.tensorflow.proto.TensorInfo;
import org.tensorflow.proto.TensorShapeProto;
import org.tensorflowonspark.base.TfosException;

/** A SavedModel that cannot be trained is refused with what is wrong and what to do. */
class PreflightTest {
  @TempDir Path dir;

  private static void refused(Path model, ModelError error, String... texts) {
    assertThatThrownBy(() -> TrainableModel.load(model, Fixtures.OPTIONS))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[" + error.code() + "]")
        .hasMessageContainingAll(texts);
  }

  /** The linear fixture with other signatures. */
  private Path changed(Consumer<MetaGraphDef.Builder> change) throws IOException {
    Path model = dir.resolve("changed");
    NewDirectory.write(
        model, true, to -> SavedModelFiles.copyAllButVariables(Fixtures.path("linear"), to));
    SavedModel.Builder saved =
        SavedModel.parseFrom(Files.readAllBytes(model.resolve("saved_model.pb"))).toBuilder();
    change.accept(saved.getMetaGraphsBuilder(0));
    Files.write(model.resolve("saved_model.pb"), saved.build().toByteArray());
    return model;
  }

  private Path withSignature(String name, Consumer<SignatureDef.Builder> change)
      throws IOException {
    return changed(
        graph -> {
          SignatureDef.Builder signature = graph.getSignatureDefOrThrow(name).toBuilder();
          change.accept(signature);
          graph.putSignatureDef(name, signature.build());
        });
  }

  private static TensorInfo tensor(DataType type, long... shape) {
    TensorShapeProto.Builder dims = TensorShapeProto.newBuilder();
    for (long d : shape) {
      dims.addDim(TensorShapeProto.Dim.newBuilder().setSize(d));
    }
    return TensorInfo.newBuilder().setDtype(type).setTensorShape(dims).setName("any:0").build();
  }

  @Test
  void whatIsNoSavedModel() throws IOException {
    refused(dir.resolve("absent"), ModelError.NOT_A_SAVED_MODEL, "absent", "does not exist");
    Files.writeString(dir.resolve("model.keras"), "x");
    refused(dir, ModelError.NOT_A_SAVED_MODEL, "holds [model.keras]", "exported first");
    refused(dir.resolve("model.keras"), ModelError.NOT_A_SAVED_MODEL, "it is a file");
    Files.writeString(dir.resolve("saved_model.pb"), "not a protobuf");
    refused(dir, ModelError.NOT_A_SAVED_MODEL, "cannot be read");
  }

  @Test
  void otherTags() {
    assertThatThrownBy(
            () ->
                TrainableModel.load(
                    Fixtures.path("linear"), ModelOptions.defaults().withTags("serve", "tpu")))
        .hasMessageContaining("[serve, tpu]")
        .hasMessageContaining("It has [[serve]]");
  }

  @Test
  void anOrdinaryExport() {
    refused(
        Fixtures.path("not-trainable"),
        ModelError.MISSING_SIGNATURE,
        "no signature 'gradients'",
        "serving_default",
        "tensorflowonspark_export");
    refused(Fixtures.path("bad-grad"), ModelError.MISSING_ROW_WEIGHTS, "'gradients'", "[x, y]");
    refused(
        Fixtures.path("bad-apply"), ModelError.SIGNATURES_DISAGREE, "gives 1 gradients", "takes 2");
  }

  @Test
  void signaturesThatDoNotFitEachOther() throws IOException {
    refused(changed(g -> g.removeSignatureDef("apply")), ModelError.MISSING_SIGNATURE, "'apply'");
    refused(
        withSignature("gradients", s -> s.removeOutputs("loss")),
        ModelError.SIGNATURES_DISAGREE,
        "gives no 'loss'",
        "[grad_0, grad_1]");
    refused(
        withSignature("apply", s -> s.removeOutputs("iterations")),
        ModelError.SIGNATURES_DISAGREE,
        "gives no 'iterations'");
    refused(
        withSignature("gradients", s -> s.putOutputs("grad_3", tensor(DataType.DT_FLOAT))),
        ModelError.SIGNATURES_DISAGREE,
        "no grad_2");
    refused(
        withSignature("apply", s -> s.putInputs("grad_0", tensor(DataType.DT_DOUBLE, 3, 1))),
        ModelError.SIGNATURES_DISAGREE,
        "float32[3,1]",
        "float64[3,1]");
    refused(
        withSignature("apply", s -> s.putInputs("grad_0", tensor(DataType.DT_FLOAT, 3, 2))),
        ModelError.SIGNATURES_DISAGREE,
        "float32[3,1]",
        "float32[3,2]");
    refused(
        withSignature("apply", s -> s.putInputs("rate", tensor(DataType.DT_FLOAT))),
        ModelError.SIGNATURES_DISAGREE,
        "'apply' takes [grad_0, grad_1, rate]");
    refused(
        withSignature("evaluate", s -> s.removeInputs("y")),
        ModelError.SIGNATURES_DISAGREE,
        "'evaluate' takes [row_weights, x]");
    refused(
        withSignature("apply", s -> s.putOutputs("iterations", tensor(DataType.DT_FLOAT))),
        ModelError.SIGNATURES_DISAGREE,
        "is not int64");
  }

  @Test
  void rowWeightsOfAnotherKind() throws IOException {
    refused(
        withSignature("gradients", s -> s.putInputs("row_weights", tensor(DataType.DT_DOUBLE, -1))),
        ModelError.MISSING_ROW_WEIGHTS,
        "row_weights: float64[?]");
    refused(
        withSignature(
            "gradients", s -> s.putInputs("row_weights", tensor(DataType.DT_FLOAT, -1, 1))),
        ModelError.MISSING_ROW_WEIGHTS,
        "row_weights: float32[?,1]");
  }

  @Test
  void typesThatCannotBeFed() throws IOException {
    refused(
        withSignature("gradients", s -> s.putInputs("x", tensor(DataType.DT_COMPLEX64, -1, 3))),
        ModelError.UNSUPPORTED_TYPE,
        "'x'",
        "DT_COMPLEX64",
        "float32");
    refused(
        withSignature("gradients", s -> s.putInputs("x", tensor(DataType.DT_RESOURCE))),
        ModelError.UNSUPPORTED_TYPE,
        "DT_RESOURCE");
  }

  @Test
  void metadataThatContradictsTheGraph() throws IOException {
    Path json = Metadata.FILE;
    refused(metadata("{"), ModelError.BAD_METADATA, json.toString(), "character 1");
    refused(metadata("{\"format\": 2}"), ModelError.BAD_METADATA, "Format 2.0");
    refused(
        metadata("{\"format\": 1, \"inputs\": [\"z\"], \"labels\": [\"y\"]}"),
        ModelError.BAD_METADATA,
        "[z, y]",
        "[x, y]");
    refused(
        metadata(
            "{\"format\":1,\"variables\":[{\"name\":\"a\",\"dtype\":\"float32\",\"shape\":[3,1]}]}"),
        ModelError.BAD_METADATA,
        "1 variables for 2 gradients");
  }

  private Path metadata(String text) throws IOException {
    Path model = changed(g -> {});
    Files.writeString(model.resolve(Metadata.FILE.toString()), text);
    return model;
  }

  @Test
  void variablesThatAreMissing() throws IOException {
    Path model = changed(g -> {});
    Files.createDirectory(model.resolve("variables"));
    Files.writeString(model.resolve("variables/variables.index"), "damaged");
    refused(model, ModelError.LOAD_FAILED, "changed cannot be loaded");
  }

  @Test
  void withoutMetadataNamesComeFromTheSignatures() throws IOException {
    Path model = dir.resolve("bare");
    try (TrainableModel full = Fixtures.load("linear")) {
      full.export(model);
    }
    Files.delete(model.resolve(Metadata.FILE.toString()));
    try (TrainableModel bare = TrainableModel.load(model, Fixtures.OPTIONS);
        Batch batch = Data.batch(bare, 8, 8, 1)) {
      assertThat(bare.signature().features()).extracting(TensorSpec::name).containsExactly("x");
      assertThat(bare.signature().labels()).extracting(TensorSpec::name).containsExactly("y");
      assertThat(bare.signature().gradients())
          .extracting(TensorSpec::name)
          .containsExactly("grad_0", "grad_1");
      VariablesTest.train(bare, batch, 2);
      assertThat(bare.iterations()).isEqualTo(2);
    }
  }

  @Test
  void aModelWithoutEvaluateTrainsAndSaysSo() throws IOException {
    Path model = dir.resolve("plain");
    try (TrainableModel full = Fixtures.load("linear")) {
      full.export(model);
    }
    SavedModel.Builder saved =
        SavedModel.parseFrom(Files.readAllBytes(model.resolve("saved_model.pb"))).toBuilder();
    saved.getMetaGraphsBuilder(0).removeSignatureDef("evaluate");
    saved.getMetaGraphsBuilder(0).removeSignatureDef("serving_default");
    Files.write(model.resolve("saved_model.pb"), saved.build().toByteArray());
    try (TrainableModel plain = TrainableModel.load(model, Fixtures.OPTIONS);
        Batch batch = Data.batch(plain, 8, 8, 1)) {
      VariablesTest.train(plain, batch, 1);
      assertThat(plain.signature().evaluates()).isFalse();
      assertThatThrownBy(() -> plain.evaluate(batch))
          .hasMessageContaining("TFOS-MODEL-003")
          .hasMessageContaining("no signature 'evaluate'");
      assertThatThrownBy(() -> plain.predict(batch)).hasMessageContaining("'serving_default'");
    }
  }

  @Test
  void anUnknownSignatureToServe() {
    assertThatThrownBy(
            () -> ServedModel.load(Fixtures.path("not-trainable"), "embed", Fixtures.OPTIONS))
        .hasMessageContaining("no signature 'embed'")
        .hasMessageContaining("serving_default");
  }
}
