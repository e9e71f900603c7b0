/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.nio.file.Path;
import java.util.List;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.SignatureDef;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.shim.NativeException;
import org.tensorflowonspark.tensorflow.shim.NativeModel;

/** Any SavedModel, by one signature. */
final class SavedModelServed implements ServedModel {
  private final NativeModel model;
  private final Served served;

  private SavedModelServed(NativeModel model, Served served) {
    this.model = model;
    this.served = served;
  }

  static SavedModelServed open(Path directory, String signatureName, ModelOptions options) {
    MetaGraphDef graph = SavedModelFiles.read(directory, options.tags());
    SignatureDef signature =
        Contract.require(
            graph.getSignatureDefMap(),
            signatureName,
            directory.toString(),
            "Choose one of those, or export the model with that signature.");
    Metadata metadata = Metadata.read(directory);
    List<TensorSpec> inputs = Contract.servedInputs(signature, metadata);
    List<TensorSpec> outputs = Contract.servedOutputs(signature, metadata);
    NativeModel model = load(directory, options);
    try {
      return new SavedModelServed(
          model, new Served(model, signatureName, signature, inputs, outputs));
    } catch (RuntimeException e) {
      model.close();
      throw e;
    }
  }

  static NativeModel load(Path directory, ModelOptions options) {
    TensorFlowRuntime.load();
    try {
      return NativeModel.load(
          directory.toAbsolutePath().toString(), options.tags(), options.config());
    } catch (NativeException e) {
      throw new TfosException(
          ModelError.LOAD_FAILED,
          directory + " cannot be loaded: " + e.getMessage(),
          "If it names an operation, the model needs one that TensorFlow "
              + TensorFlowRuntime.load().version()
              + " has not; if it names a file of variables, copy or export the model again.",
          e);
    }
  }

  @Override
  public List<TensorSpec> servedInputs() {
    return served.inputs();
  }

  @Override
  public List<TensorSpec> servedOutputs() {
    return served.outputs();
  }

  @Override
  public TensorList predict(Batch batch) {
    return served.predict(batch);
  }

  @Override
  public void close() {
    model.close();
  }

  /** A signature that predicts. */
  record Served(List<TensorSpec> inputs, List<TensorSpec> outputs, Step step) {
    Served(
        NativeModel model,
        String name,
        SignatureDef signature,
        List<TensorSpec> inputs,
        List<TensorSpec> outputs) {
      this(
          inputs,
          outputs,
          new Step(
              model, name, signature, inputs, outputs.stream().map(TensorSpec::name).toList()));
    }

    TensorList predict(Batch batch) {
      return new TensorList(outputs, step.run(batch));
    }
  }
}
