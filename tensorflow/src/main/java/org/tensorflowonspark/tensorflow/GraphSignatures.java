/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Output;
import org.tensorflow.SavedModelBundle;
import org.tensorflow.Session;
import org.tensorflow.Signature;
import org.tensorflow.framework.optimizers.Optimizer;
import org.tensorflow.framework.optimizers.Optimizer.GradAndVar;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.core.Variable;
import org.tensorflow.proto.SavedModel;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.family.TNumber;
import org.tensorflow.types.family.TType;
import org.tensorflowonspark.base.TfosException;

/** The signatures of a trainable SavedModel, added to a graph built in Java. */
final class GraphSignatures {
  private final List<Signature> signatures = new ArrayList<>();
  private final String metadata;
  private String applied = "";

  private GraphSignatures(String metadata) {
    this.metadata = metadata;
  }

  static GraphSignatures of(Graph graph, Ops tf, GraphParts parts) {
    Operand<? extends TNumber> loss = parts.weightedMean(parts.checkedLoss());
    Map<String, Operand<?>> measured = new LinkedHashMap<>();
    measured.put(Contract.LOSS, loss);
    parts
        .metrics()
        .forEach(
            (name, perRow) -> measured.put(Contract.METRIC + name, parts.weightedMean(perRow)));
    List<Variable<?>> variables = parts.variables();
    GradientCheck.check(
        graph.toGraphDef(), loss.op().name(), variables.stream().map(v -> v.op().name()).toList());
    Output<?>[] gradients = gradients(graph, loss, variables);

    GraphSignatures all = new GraphSignatures(metadata(parts));
    Signature.Builder gradientsOf = Signature.builder(Contract.GRADIENTS);
    feed(gradientsOf, parts);
    measured.forEach(gradientsOf::output);
    for (int i = 0; i < gradients.length; i++) {
      gradientsOf.output(Contract.GRAD + i, gradients[i]);
    }
    all.signatures.add(gradientsOf.build());
    all.signatures.add(all.apply(graph, tf, parts, variables));
    Signature.Builder evaluate = Signature.builder(Contract.EVALUATE);
    feed(evaluate, parts);
    measured.forEach(evaluate::output);
    all.signatures.add(evaluate.build());
    Signature.Builder served = Signature.builder(ServedModel.DEFAULT_SIGNATURE);
    parts.inputs().forEach(served::input);
    parts.outputs().forEach(served::output);
    all.signatures.add(served.build());
    return all;
  }

  private static void feed(Signature.Builder signature, GraphParts parts) {
    parts.inputs().forEach(signature::input);
    parts.labels().forEach(signature::input);
    signature.input(Batch.ROW_WEIGHTS, parts.rowWeights());
  }

  private static Output<?>[] gradients(Graph graph, Operand<?> loss, List<Variable<?>> variables) {
    Output<?>[] of = variables.stream().map(Operand::asOutput).toArray(Output<?>[]::new);
    Output<?>[] gradients = graph.addGradients(loss.asOutput(), of);
    for (int i = 0; i < gradients.length; i++) {
      if (gradients[i].isClosed()) {
        throw new TfosException(
            ModelError.BAD_GRAPH,
            "No gradient reaches the variable '" + variables.get(i).op().name() + "'",
            "See that no stopGradient, shape, comparison or cast to whole numbers lies on every way"
                + " from it to the loss.");
      }
    }
    return gradients;
  }

  private Signature apply(Graph graph, Ops tf, GraphParts parts, List<Variable<?>> variables) {
    Signature.Builder signature = Signature.builder(Contract.APPLY);
    List<GradAndVar<? extends TType>> pairs = new ArrayList<>();
    for (int i = 0; i < variables.size(); i++) {
      pairs.add(pair(tf, signature, Contract.GRAD + i, variables.get(i)));
    }
    Optimizer optimizer = parts.optimizerOf(graph);
    Op step = optimizer.applyGradients(pairs, Contract.APPLY);
    applied = step.op().name();
    Variable<TInt64> iterations = tf.withName(Contract.ITERATIONS).variable(tf.constant(0L));
    Ops after = tf.withControlDependencies(step);
    signature.output(
        Contract.ITERATIONS, tf.identity(after.assignAdd(iterations, tf.constant(1L))));
    return signature.build();
  }

  private static <T extends TType> GradAndVar<T> pair(
      Ops tf, Signature.Builder signature, String name, Variable<T> variable) {
    Output<T> target = variable.asOutput();
    Placeholder<T> gradient =
        tf.withName(name).placeholder(target.type(), Placeholder.shape(target.shape()));
    signature.input(name, gradient);
    return new GradAndVar<>(gradient.asOutput(), target);
  }

  private static String metadata(GraphParts parts) {
    List<TensorSpec> variables = new ArrayList<>();
    for (Variable<?> v : parts.variables()) {
      Output<?> output = v.asOutput();
      variables.add(
          TensorSpec.of(
              v.op().name(),
              DType.of(output.dataType(), "Variable " + v.op().name()),
              output.shape().asArray()));
    }
    return new Metadata(
            List.copyOf(parts.inputs().keySet()),
            List.copyOf(parts.labels().keySet()),
            List.copyOf(parts.outputs().keySet()),
            List.copyOf(parts.metrics().keySet()),
            variables,
            List.of(Contract.ITERATIONS),
            null)
        .toJson();
  }

  /** Initialises the variables and writes everything. */
  void export(Session session, Path directory) throws IOException {
    session.initialize();
    SavedModelBundle.exporter(directory.toString())
        .withSession(session)
        .withSignatures(signatures.toArray(Signature[]::new))
        .export();
    Path graph = directory.resolve(SavedModelFiles.GRAPH);
    SavedModel.Builder saved = SavedModel.parseFrom(Files.readAllBytes(graph)).toBuilder();
    UpdateOrder.fix(saved.getMetaGraphsBuilder(0).getGraphDefBuilder(), applied);
    Files.write(graph, saved.build().toByteArray());
    Path file = directory.resolve(Metadata.FILE.toString());
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, metadata);
  }
}
