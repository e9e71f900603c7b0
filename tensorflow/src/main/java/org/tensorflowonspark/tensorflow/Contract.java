/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.SignatureDef;
import org.tensorflow.proto.TensorInfo;
import org.tensorflowonspark.base.TfosException;

/**
 * The signatures of a trainable SavedModel, checked against each other before anything is loaded.
 * {@code gradients}: inputs, labels and {@code row_weights} to {@code loss}, {@code grad_i} and
 * {@code metric_name}; {@code apply}: the {@code grad_i} to {@code iterations}; {@code evaluate}
 * (optional): as gradients, to {@code loss} and {@code metric_name}; {@code serving_default}
 * (optional).
 */
final class Contract {
  static final String GRADIENTS = "gradients";
  static final String APPLY = "apply";
  static final String EVALUATE = "evaluate";
  static final String LOSS = "loss";
  static final String ITERATIONS = "iterations";
  static final String METRIC = "metric_";
  static final String GRAD = "grad_";
  static final String EXPORTER =
      "Export the model for training with tensorflowonspark_export (Python) or GraphModel (Java).";

  private final Map<String, SignatureDef> signatures;
  private final Metadata metadata;
  private final SignatureDef gradients;
  private final SignatureDef apply;

  Contract(MetaGraphDef graph, Metadata metadata, String where) {
    this.signatures = graph.getSignatureDefMap();
    this.metadata = metadata;
    this.gradients = require(signatures, GRADIENTS, where, EXPORTER);
    this.apply = require(signatures, APPLY, where, EXPORTER);
  }

  static SignatureDef require(
      Map<String, SignatureDef> signatures, String name, String where, String remedy) {
    SignatureDef found = signatures.get(name);
    if (found == null) {
      TreeSet<String> names = new TreeSet<>(signatures.keySet());
      names.removeIf(n -> n.startsWith("__"));
      throw new TfosException(
          ModelError.MISSING_SIGNATURE,
          where + " has no signature '" + name + "'; it has " + names,
          remedy);
    }
    return found;
  }

  ModelSignature check() {
    checkRowWeights(GRADIENTS, gradients);
    List<TensorSpec> inputs = columns(gradients);
    output(GRADIENTS, gradients, LOSS);
    List<TensorSpec> grads = gradientSpecs();
    TensorSpec iterations = output(APPLY, apply, ITERATIONS);
    if (iterations.dtype() != DType.INT64) {
      throw disagree("Output '" + iterations + "' of 'apply' is not int64");
    }
    SignatureDef evaluate = signatures.get(EVALUATE);
    if (evaluate != null) {
      checkRowWeights(EVALUATE, evaluate);
      output(EVALUATE, evaluate, LOSS);
      if (!evaluate.getInputsMap().keySet().equals(gradients.getInputsMap().keySet())) {
        throw disagree(
            "'evaluate' takes "
                + new TreeSet<>(evaluate.getInputsMap().keySet())
                + " but 'gradients' takes "
                + new TreeSet<>(gradients.getInputsMap().keySet()));
      }
    }
    SignatureDef serving = signatures.get(ServedModel.DEFAULT_SIGNATURE);
    Set<String> labels = labels(serving);
    return new ModelSignature(
        inputs.stream().filter(s -> !labels.contains(s.name())).toList(),
        inputs.stream().filter(s -> labels.contains(s.name())).toList(),
        grads,
        metrics(gradients, metadata),
        evaluate != null,
        serving == null ? List.of() : servedInputs(serving, metadata),
        serving == null ? List.of() : servedOutputs(serving, metadata),
        metadata.learningRate());
  }

  private static void checkRowWeights(String name, SignatureDef signature) {
    TensorInfo info = signature.getInputsMap().get(Batch.ROW_WEIGHTS);
    if (info == null) {
      throw new TfosException(
          ModelError.MISSING_ROW_WEIGHTS,
          "Signature '"
              + name
              + "' takes no "
              + Batch.ROW_WEIGHTS
              + ", only "
              + new TreeSet<>(signature.getInputsMap().keySet()),
          EXPORTER);
    }
    TensorSpec spec = TensorSpec.of(Batch.ROW_WEIGHTS, info, "Input");
    if (spec.dtype() != DType.FLOAT32 || !spec.accepts(List.of(TensorSpec.UNKNOWN))) {
      throw new TfosException(
          ModelError.MISSING_ROW_WEIGHTS,
          "Signature '" + name + "' takes '" + spec + "' where row_weights: float32[?] is needed",
          EXPORTER);
    }
  }

  private static TensorSpec output(String name, SignatureDef signature, String output) {
    TensorInfo info = signature.getOutputsMap().get(output);
    if (info == null) {
      throw disagree(
          "Signature '"
              + name
              + "' gives no '"
              + output
              + "', only "
              + new TreeSet<>(signature.getOutputsMap().keySet()));
    }
    return TensorSpec.of(output, info, "Output");
  }

  /** Inputs but row_weights: in the order of the metadata, then by name. */
  private List<TensorSpec> columns(SignatureDef signature) {
    Set<String> named = new LinkedHashSet<>(metadata.inputs());
    named.addAll(metadata.labels());
    Set<String> present = new TreeSet<>(signature.getInputsMap().keySet());
    present.remove(Batch.ROW_WEIGHTS);
    if (!named.isEmpty() && !named.equals(present)) {
      throw new TfosException(
          ModelError.BAD_METADATA,
          Metadata.FILE + " names the columns " + named + " but 'gradients' takes " + present,
          EXPORTER);
    }
    return specs(signature.getInputsMap(), named.isEmpty() ? present : named, "Input");
  }

  private Set<String> labels(@Nullable SignatureDef serving) {
    if (!metadata.labels().isEmpty() || !metadata.inputs().isEmpty() || serving == null) {
      return Set.copyOf(metadata.labels());
    }
    Set<String> labels = new LinkedHashSet<>(gradients.getInputsMap().keySet());
    labels.removeAll(serving.getInputsMap().keySet());
    return labels;
  }

  /** Gradients under the names of their variables; the same set must go out and come in. */
  private List<TensorSpec> gradientSpecs() {
    Map<Integer, TensorSpec> out = numbered(gradients.getOutputsMap());
    Map<Integer, TensorSpec> in = numbered(apply.getInputsMap());
    int count = out.size();
    if (in.size() != apply.getInputsCount()) {
      throw disagree(
          "'apply' takes "
              + new TreeSet<>(apply.getInputsMap().keySet())
              + " where it may take gradients only");
    }
    for (int i = 0; i < count; i++) {
      if (!out.containsKey(i)) {
        throw disagree("'gradients' gives " + count + " gradients but no grad_" + i);
      }
    }
    if (count == 0 || !out.keySet().equals(in.keySet())) {
      throw disagree("'gradients' gives " + count + " gradients but 'apply' takes " + in.size());
    }
    List<TensorSpec> variables = metadata.variables();
    if (!variables.isEmpty() && variables.size() != count) {
      throw new TfosException(
          ModelError.BAD_METADATA,
          Metadata.FILE + " names " + variables.size() + " variables for " + count + " gradients",
          EXPORTER);
    }
    List<TensorSpec> specs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      specs.add(
          matched(
              Objects.requireNonNull(out.get(i)),
              Objects.requireNonNull(in.get(i)),
              variables.isEmpty() ? null : variables.get(i)));
    }
    return specs;
  }

  private static TensorSpec matched(TensorSpec out, TensorSpec in, @Nullable TensorSpec variable) {
    if (out.dtype() != in.dtype() || !fits(out, in)) {
      throw disagree("'gradients' gives '" + out + "' but 'apply' takes '" + in + "'");
    }
    if (!out.dtype().isFloating()) {
      throw new TfosException(
          ModelError.UNSUPPORTED_TYPE,
          "The gradient '" + out + "' is not a floating-point number",
          EXPORTER);
    }
    if (variable != null) {
      if (!fits(out, variable)) {
        throw disagree("'gradients' gives '" + out + "' for the variable '" + variable + "'");
      }
      return new TensorSpec(variable.name(), out.dtype(), variable.shape());
    }
    return in.isConcrete() ? in : out;
  }

  private static boolean fits(TensorSpec a, TensorSpec b) {
    List<Long> shape = b.shape();
    return shape == null || a.accepts(shape);
  }

  private static Map<Integer, TensorSpec> numbered(Map<String, TensorInfo> tensors) {
    Map<Integer, TensorSpec> found = new TreeMap<>();
    tensors.forEach(
        (name, info) -> {
          if (name.matches(GRAD + "\\d{1,9}")) {
            found.put(
                Integer.parseInt(name.substring(GRAD.length())),
                TensorSpec.of(name, info, "Gradient"));
          }
        });
    return found;
  }

  /** Names of metrics: in the order of the metadata, then by name. */
  static List<String> metrics(SignatureDef signature, Metadata metadata) {
    TreeSet<String> present = new TreeSet<>();
    for (String name : signature.getOutputsMap().keySet()) {
      if (name.startsWith(METRIC)) {
        present.add(name.substring(METRIC.length()));
      }
    }
    return ordered(present, metadata.metrics());
  }

  static List<TensorSpec> servedInputs(SignatureDef signature, Metadata metadata) {
    List<String> names = ordered(signature.getInputsMap().keySet(), metadata.inputs());
    return specs(signature.getInputsMap(), names, "Input");
  }

  static List<TensorSpec> servedOutputs(SignatureDef signature, Metadata metadata) {
    List<String> names = ordered(signature.getOutputsMap().keySet(), metadata.outputs());
    return specs(signature.getOutputsMap(), names, "Output");
  }

  private static List<String> ordered(Set<String> present, List<String> order) {
    LinkedHashSet<String> names = new LinkedHashSet<>(order);
    names.retainAll(present);
    names.addAll(new TreeSet<>(present));
    return List.copyOf(names);
  }

  private static List<TensorSpec> specs(
      Map<String, TensorInfo> tensors, Iterable<String> names, String where) {
    List<TensorSpec> specs = new ArrayList<>();
    for (String name : names) {
      specs.add(TensorSpec.of(name, Objects.requireNonNull(tensors.get(name)), where));
    }
    return specs;
  }

  /** Name of each tensor in the graph by its name in the signature. */
  static Map<String, String> endpoints(Map<String, TensorInfo> tensors) {
    Map<String, String> names = new LinkedHashMap<>();
    tensors.forEach((name, info) -> names.put(name, info.getName()));
    return names;
  }

  private static TfosException disagree(String what) {
    return new TfosException(ModelError.SIGNATURES_DISAGREE, what, EXPORTER);
  }
}
