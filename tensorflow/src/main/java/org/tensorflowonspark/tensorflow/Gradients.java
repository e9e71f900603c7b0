/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.tensorflowonspark.tensorflow.shim.NativeTensor;

/**
 * The gradients of one batch, with its loss and metrics, all weighted means over the rows of the
 * batch. Buffers are the fetched tensors themselves, so an all-reduce works in place and {@link
 * TrainableModel#apply} takes the result without a copy. For one thread at a time; whoever got it
 * closes it, after {@code apply} and before the model; no buffer may be touched afterwards.
 */
public final class Gradients implements AutoCloseable {
  private final List<TensorSpec> specs;
  private final NativeTensor[] tensors;
  private final double weight;
  private final double loss;
  private final Map<String, Double> metrics;
  private final Runnable onClose;
  private boolean closed;

  Gradients(
      List<TensorSpec> specs,
      NativeTensor[] tensors,
      double weight,
      double loss,
      Map<String, Double> metrics,
      Runnable onClose) {
    this.specs = specs;
    this.tensors = tensors;
    this.weight = weight;
    this.loss = loss;
    this.metrics = metrics;
    this.onClose = onClose;
  }

  /** Number of gradients: of trainable variables. */
  public int size() {
    return tensors.length;
  }

  /** Type and shape of gradient {@code index}, under the name of its variable. */
  public TensorSpec spec(int index) {
    return specs.get(index);
  }

  /**
   * Gradient {@code index}: direct, in native order, writable, row-major; from 0 to its size. Each
   * call gives a view with a position of its own. Not to be written after {@code apply}.
   */
  public ByteBuffer buffer(int index) {
    if (closed) {
      throw new IllegalStateException("These gradients are closed");
    }
    return Tensors.view(specs.get(index), tensors[index]);
  }

  /** The sum of the row weights of the batch, its number of rows as a rule; 0 for no rows. */
  public double weight() {
    return weight;
  }

  /** The loss of the batch before the step; 0 for no rows. */
  public double loss() {
    return loss;
  }

  /** The metrics of the batch, in the order of the signature; zeros for no rows. */
  public Map<String, Double> metrics() {
    return metrics;
  }

  NativeTensor[] tensors() {
    if (closed) {
      throw new IllegalStateException("These gradients are closed");
    }
    return tensors;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      onClose.run();
    }
  }
}
