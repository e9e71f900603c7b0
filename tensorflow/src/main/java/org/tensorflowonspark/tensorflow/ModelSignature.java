/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a trainable model takes and gives. Immutable.
 *
 * @param features columns that the model predicts from
 * @param labels columns that it learns
 * @param gradients one for each trainable variable, by the variable's name, in the order of {@link
 *     Gradients}
 * @param metrics names of what is measured besides the loss, in the order of {@link
 *     Gradients#metrics()}
 * @param evaluates whether {@link TrainableModel#evaluate} can be called
 * @param servedInputs columns that {@link ServedModel#predict} needs; empty if the model cannot
 *     predict
 * @param servedOutputs what it gives
 * @param learningRate name of the variable that holds the optimizer's learning rate, or null when
 *     not known
 */
public record ModelSignature(
    List<TensorSpec> features,
    List<TensorSpec> labels,
    List<TensorSpec> gradients,
    List<String> metrics,
    boolean evaluates,
    List<TensorSpec> servedInputs,
    List<TensorSpec> servedOutputs,
    @Nullable String learningRate) {

  public ModelSignature {
    features = List.copyOf(features);
    labels = List.copyOf(labels);
    gradients = List.copyOf(gradients);
    metrics = List.copyOf(metrics);
    servedInputs = List.copyOf(servedInputs);
    servedOutputs = List.copyOf(servedOutputs);
  }

  /** All columns of a training batch: features, then labels; {@code row_weights} is not in it. */
  public List<TensorSpec> inputs() {
    return Stream.concat(features.stream(), labels.stream()).toList();
  }
}
