/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.framework.optimizers.GradientDescent;
import org.tensorflow.framework.optimizers.Optimizer;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.core.Variable;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.family.TNumber;
import org.tensorflow.types.family.TType;
import org.tensorflowonspark.base.TfosException;

/**
 * What a graph built in Java is made of; handed to a {@link GraphModel.Definition}, which says what
 * goes in, what is learned and what comes out. Used on one thread, and only within the definition.
 */
public final class GraphParts {
  private final Ops tf;
  private final Placeholder<TFloat32> rowWeights;
  private final Map<String, Placeholder<?>> inputs = new LinkedHashMap<>();
  private final Map<String, Placeholder<?>> labels = new LinkedHashMap<>();
  private final Map<String, Variable<?>> variables = new LinkedHashMap<>();
  private final Map<String, Operand<? extends TNumber>> metrics = new LinkedHashMap<>();
  private final Map<String, Operand<?>> outputs = new LinkedHashMap<>();
  private @Nullable Operand<? extends TNumber> loss;
  private Function<Graph, Optimizer> optimizer = graph -> new GradientDescent(graph, 0.01f);

  GraphParts(Ops tf) {
    this.tf = tf;
    this.rowWeights =
        tf.withName(Batch.ROW_WEIGHTS)
            .placeholder(TFloat32.class, Placeholder.shape(Shape.of(TensorSpec.UNKNOWN)));
  }

  /**
   * A column that the model predicts from.
   *
   * @param rowShape shape of one row, -1 for an open dimension; none for a single number a row
   */
  public <T extends TType> Placeholder<T> input(String name, Class<T> type, long... rowShape) {
    return column(inputs, name, type, rowShape);
  }

  /** A column that the model learns; as {@link #input}. */
  public <T extends TType> Placeholder<T> label(String name, Class<T> type, long... rowShape) {
    return column(labels, name, type, rowShape);
  }

  private <T extends TType> Placeholder<T> column(
      Map<String, Placeholder<?>> columns, String name, Class<T> type, long... rowShape) {
    long[] shape = new long[rowShape.length + 1];
    shape[0] = TensorSpec.UNKNOWN;
    System.arraycopy(rowShape, 0, shape, 1, rowShape.length);
    Placeholder<T> column = tf.withName(name).placeholder(type, Placeholder.shape(Shape.of(shape)));
    unique(inputs.containsKey(name) || labels.containsKey(name), "column", name);
    columns.put(name, column);
    return column;
  }

  /**
   * A variable that is trained. One that is not (a counter, an average) is made with {@code
   * tf.variable}; it is saved all the same.
   *
   * @param initial its first value; random ones are as repeatable as the seed that they are given
   */
  public <T extends TType> Variable<T> variable(String name, Operand<T> initial) {
    Variable<T> variable = tf.withName(name).variable(initial);
    unique(variables.put(name, variable) != null, "variable", name);
    return variable;
  }

  /** The loss of each row, of the shape [rows]; the model minimises its weighted mean. */
  public void loss(Operand<? extends TNumber> perRow) {
    loss = perRow;
  }

  /** A metric of each row, of the shape [rows]; reported as its weighted mean. */
  public void metric(String name, Operand<? extends TNumber> perRow) {
    unique(metrics.put(name, perRow) != null, "metric", name);
  }

  /** What the model predicts, of the shape [rows, ..]. */
  public void output(String name, Operand<?> value) {
    unique(outputs.put(name, value) != null, "output", name);
  }

  /** How gradients are applied, such as {@code graph -> new Adam(graph, 0.001f)}. */
  public void optimizer(Function<Graph, Optimizer> factory) {
    optimizer = factory;
  }

  private static void unique(boolean repeated, String what, String name) {
    if (repeated) {
      throw new TfosException(
          ModelError.BAD_GRAPH,
          "There are two of the " + what + " '" + name + "'",
          "Name each once.");
    }
  }

  /** A value of each row to its weighted mean. */
  <T extends TNumber> Operand<T> weightedMean(Operand<T> perRow) {
    Shape shape = perRow.shape();
    if (!shape.isUnknown() && shape.numDimensions() != 1) {
      throw new TfosException(
          ModelError.BAD_GRAPH,
          "'" + perRow.op().name() + "' has the shape " + shape + " instead of one number a row",
          "Reduce it over all dimensions but the first.");
    }
    Operand<TFloat32> total = tf.reduceSum(rowWeights, tf.constant(0));
    Operand<TFloat32> shares = tf.math.divNoNan(rowWeights, total);
    Class<T> type = perRow.type();
    return tf.reduceSum(tf.math.mul(perRow, tf.dtypes.cast(shares, type)), tf.constant(0));
  }

  Operand<? extends TNumber> checkedLoss() {
    if (loss == null || inputs.isEmpty() || variables.isEmpty() || outputs.isEmpty()) {
      throw new TfosException(
          ModelError.BAD_GRAPH,
          "The graph has "
              + (loss == null ? "no loss" : "a loss")
              + ", inputs "
              + inputs.keySet()
              + ", variables "
              + variables.keySet()
              + ", outputs "
              + outputs.keySet(),
          "Give it at least one of each: parts.loss, input, variable and output.");
    }
    return loss;
  }

  Placeholder<TFloat32> rowWeights() {
    return rowWeights;
  }

  Map<String, Placeholder<?>> inputs() {
    return inputs;
  }

  Map<String, Placeholder<?>> labels() {
    return labels;
  }

  List<Variable<?>> variables() {
    return new ArrayList<>(variables.values());
  }

  Map<String, Operand<? extends TNumber>> metrics() {
    return metrics;
  }

  Map<String, Operand<?>> outputs() {
    return outputs;
  }

  Optimizer optimizerOf(Graph graph) {
    return optimizer.apply(graph);
  }
}
