/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.SignatureDef;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.shim.NativeModel;
import org.tensorflowonspark.tensorflow.shim.NativeTensor;

/** A trainable SavedModel, by its signatures. See {@link Contract}. */
final class SavedModelTrainable implements TrainableModel {
  private static final long UNKNOWN_STEP = -1;

  private final Path directory;
  private final NewDirectory.Writer files;
  private final NativeModel model;
  private final ModelSignature signature;
  private final Step gradients;
  private final Step apply;
  private final Variables variables;
  private final Checkpoints checkpoints;
  private final ZeroGradients zeros;
  private final List<String> evaluationMetrics;
  private final DType lossType;
  private final Map<String, DType> metricTypes = new LinkedHashMap<>();
  private final @Nullable Step evaluate;
  private final SavedModelServed.@Nullable Served served;
  private final @Nullable String iterationsVariable;
  private final List<String> layerState;
  private long iterations = UNKNOWN_STEP;

  static SavedModelTrainable open(Path directory, ModelOptions options) {
    return open(directory, options, to -> SavedModelFiles.copyAllButVariables(directory, to));
  }

  /**
   * @param files writes what an export has besides the variables
   */
  static SavedModelTrainable open(Path directory, ModelOptions options, NewDirectory.Writer files) {
    MetaGraphDef graph = SavedModelFiles.read(directory, options.tags());
    Metadata metadata = Metadata.read(directory);
    ModelSignature signature = new Contract(graph, metadata, directory.toString()).check();
    NativeModel model = SavedModelServed.load(directory, options);
    try {
      return new SavedModelTrainable(directory, graph, metadata, signature, model, files);
    } catch (RuntimeException e) {
      model.close();
      throw e;
    }
  }

  private SavedModelTrainable(
      Path directory,
      MetaGraphDef graph,
      Metadata metadata,
      ModelSignature signature,
      NativeModel model,
      NewDirectory.Writer files) {
    this.directory = directory;
    this.files = files;
    this.model = model;
    this.signature = signature;
    Map<String, SignatureDef> signatures = graph.getSignatureDefMap();
    List<TensorSpec> columns = new ArrayList<>(signature.inputs());
    columns.add(TensorSpec.of(Batch.ROW_WEIGHTS, DType.FLOAT32, TensorSpec.UNKNOWN));

    SignatureDef gradientsDef = Contract.require(signatures, Contract.GRADIENTS, "", "");
    List<String> outputs = scalars(signature.metrics());
    List<TensorSpec> fed = new ArrayList<>();
    for (int i = 0; i < signature.gradients().size(); i++) {
      outputs.add(Contract.GRAD + i);
      fed.add(signature.gradients().get(i).named(Contract.GRAD + i));
    }
    this.gradients = new Step(model, Contract.GRADIENTS, gradientsDef, columns, outputs);
    SignatureDef applyDef = Contract.require(signatures, Contract.APPLY, "", "");
    this.apply = new Step(model, Contract.APPLY, applyDef, fed, List.of(Contract.ITERATIONS));

    SignatureDef evaluateDef = signatures.get(Contract.EVALUATE);
    this.evaluationMetrics =
        evaluateDef == null ? List.of() : Contract.metrics(evaluateDef, metadata);
    this.evaluate =
        evaluateDef == null
            ? null
            : new Step(model, Contract.EVALUATE, evaluateDef, columns, scalars(evaluationMetrics));
    SignatureDef servedDef = signatures.get(ServedModel.DEFAULT_SIGNATURE);
    this.served =
        servedDef == null
            ? null
            : new SavedModelServed.Served(
                model,
                ServedModel.DEFAULT_SIGNATURE,
                servedDef,
                signature.servedInputs(),
                signature.servedOutputs());

    this.lossType = type(gradientsDef, Contract.LOSS);
    for (SignatureDef def :
        evaluateDef == null ? List.of(gradientsDef) : List.of(gradientsDef, evaluateDef)) {
      for (String metric : Contract.metrics(def, metadata)) {
        metricTypes.put(metric, type(def, Contract.METRIC + metric));
      }
    }
    this.variables = new Variables(model, graph.getGraphDef());
    this.checkpoints = new Checkpoints(model, graph.getSaverDef(), directory);
    this.zeros = new ZeroGradients(signature.gradients(), signature.metrics());
    this.iterationsVariable = iterationsVariable(metadata);
    this.layerState = layerState(metadata);
  }

  private List<String> layerState(Metadata metadata) {
    if (metadata.optimizerState().isEmpty()) {
      return List.of();
    }
    Set<String> others = new HashSet<>(metadata.optimizerState());
    signature.gradients().forEach(g -> others.add(g.name()));
    return variables.specs().stream()
        .filter(v -> v.dtype().isFloating() && !others.contains(v.name()))
        .map(TensorSpec::name)
        .toList();
  }

  @Override
  public List<String> layerState() {
    return layerState;
  }

  private static List<String> scalars(List<String> metrics) {
    List<String> outputs = new ArrayList<>();
    outputs.add(Contract.LOSS);
    metrics.forEach(m -> outputs.add(Contract.METRIC + m));
    return outputs;
  }

  private static DType type(SignatureDef signature, String output) {
    return DType.of(signature.getOutputsOrThrow(output).getDtype(), "Output '" + output + "'");
  }

  /** The optimizer's count of steps: the int64 scalar of its state that is called so. */
  private @Nullable String iterationsVariable(Metadata metadata) {
    for (TensorSpec spec : variables.specs()) {
      String name = spec.name().substring(spec.name().lastIndexOf('/') + 1);
      boolean optimizers =
          metadata.optimizerState().isEmpty() || metadata.optimizerState().contains(spec.name());
      if (optimizers
          && spec.dtype() == DType.INT64
          && spec.isConcrete()
          && spec.elements() == 1
          && (name.equals("iteration") || name.equals("iterations"))) {
        return spec.name();
      }
    }
    return null;
  }

  @Override
  public ModelSignature signature() {
    return signature;
  }

  @Override
  public Gradients gradients(Batch batch) {
    double weight = batch.weight();
    if (weight == 0) {
      return zeros.next();
    }
    NativeTensor[] fetched = gradients.run(batch);
    int scalars = 1 + signature.metrics().size();
    double loss = Tensors.scalar(lossType, fetched[0]);
    Map<String, Double> metrics = metrics(signature.metrics(), fetched);
    NativeTensor[] grads = java.util.Arrays.copyOfRange(fetched, scalars, fetched.length);
    for (int i = 0; i < scalars; i++) {
      fetched[i].close();
    }
    List<TensorSpec> specs = signature.gradients();
    for (int i = 0; i < grads.length; i++) {
      // A gradient may be a constant of the graph, a variable or another gradient: written in
      // place it would change those.
      grads[i] = Tensors.own(specs.get(i), grads[i]);
      if (!specs.get(i).isConcrete()) {
        specs = concrete(specs, grads);
      }
    }
    return new Gradients(specs, grads, weight, loss, metrics, () -> Tensors.closeAll(grads));
  }

  private static List<TensorSpec> concrete(List<TensorSpec> specs, NativeTensor[] grads) {
    List<TensorSpec> known = new ArrayList<>();
    for (int i = 0; i < grads.length; i++) {
      known.add(specs.get(i).shaped(grads[i].shape()));
    }
    return known;
  }

  private Map<String, Double> metrics(List<String> names, NativeTensor[] fetched) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      DType type = metricTypes.getOrDefault(names.get(i), DType.FLOAT32);
      metrics.put(names.get(i), Tensors.scalar(type, fetched[i + 1]));
    }
    return Collections.unmodifiableMap(metrics);
  }

  @Override
  public void apply(Gradients values) {
    NativeTensor[] done = apply.run(values.tensors());
    iterations = done[0].buffer().getLong(0);
    Tensors.closeAll(done);
  }

  @Override
  public long iterations() {
    if (iterations == UNKNOWN_STEP) {
      if (iterationsVariable == null) {
        return 0;
      }
      try (TensorList value = variables.read(List.of(iterationsVariable))) {
        iterations = value.buffer(0).getLong(0);
      }
    }
    return iterations;
  }

  @Override
  public Evaluation evaluate(Batch batch) {
    if (evaluate == null) {
      throw new TfosException(
          ModelError.MISSING_SIGNATURE,
          directory + " has no signature '" + Contract.EVALUATE + "'",
          Contract.EXPORTER);
    }
    double weight = batch.weight();
    if (weight == 0) {
      Map<String, Double> none = new LinkedHashMap<>();
      evaluationMetrics.forEach(m -> none.put(m, 0.0));
      return new Evaluation(0, 0, none);
    }
    NativeTensor[] fetched = evaluate.run(batch);
    try {
      return new Evaluation(
          weight, Tensors.scalar(lossType, fetched[0]), metrics(evaluationMetrics, fetched));
    } finally {
      Tensors.closeAll(fetched);
    }
  }

  @Override
  public List<TensorSpec> servedInputs() {
    return signature.servedInputs();
  }

  @Override
  public List<TensorSpec> servedOutputs() {
    return signature.servedOutputs();
  }

  @Override
  public TensorList predict(Batch batch) {
    if (served == null) {
      throw new TfosException(
          ModelError.MISSING_SIGNATURE,
          directory + " has no signature '" + ServedModel.DEFAULT_SIGNATURE + "'",
          Contract.EXPORTER);
    }
    return served.predict(batch);
  }

  @Override
  public List<TensorSpec> variableSpecs() {
    return variables.specs();
  }

  @Override
  public TensorList readVariables() {
    return variables.read();
  }

  @Override
  public TensorList readVariables(List<String> names) {
    return variables.read(names);
  }

  @Override
  public void writeVariables(TensorList values) {
    variables.write(values);
    iterations = UNKNOWN_STEP;
  }

  @Override
  public void save(Path target) {
    NewDirectory.write(target, false, checkpoints::saveInto);
  }

  @Override
  public void restore(Path source) {
    iterations = UNKNOWN_STEP;
    checkpoints.restoreFrom(source);
  }

  @Override
  public void export(Path target, boolean replace) {
    NewDirectory.write(
        target,
        replace,
        fresh -> {
          files.writeTo(fresh);
          Path values = Files.createDirectory(fresh.resolve(SavedModelFiles.VARIABLES));
          checkpoints.saveInto(values);
        });
  }

  @Override
  public void close() {
    zeros.close();
    model.close();
  }
}
