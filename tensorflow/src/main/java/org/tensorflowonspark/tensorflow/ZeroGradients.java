/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.shim.NativeTensor;

/** What a batch without rows contributes to a step; its memory is kept from one to the next. */
final class ZeroGradients implements AutoCloseable {
  private final List<TensorSpec> specs;
  private final Map<String, Double> metrics = new LinkedHashMap<>();
  private @Nullable NativeTensor @Nullable [] idle;
  private boolean closed;

  ZeroGradients(List<TensorSpec> specs, List<String> metricNames) {
    this.specs = specs;
    metricNames.forEach(name -> metrics.put(name, 0.0));
  }

  Map<String, Double> metrics() {
    return java.util.Collections.unmodifiableMap(metrics);
  }

  synchronized Gradients next() {
    @Nullable NativeTensor[] reused = idle;
    idle = null;
    NativeTensor[] tensors = new NativeTensor[specs.size()];
    for (int i = 0; i < tensors.length; i++) {
      NativeTensor old = reused == null ? null : reused[i];
      // The optimizer may have kept one, as an accumulator does.
      if (old != null && !old.exclusive()) {
        old.close();
        old = null;
      }
      tensors[i] = old == null ? allocate(specs.get(i)) : old;
      tensors[i].zero();
    }
    return new Gradients(specs, tensors, 0, 0, metrics(), () -> giveBack(tensors));
  }

  private static NativeTensor allocate(TensorSpec spec) {
    if (!spec.isConcrete()) {
      throw new TfosException(
          ModelError.SIGNATURES_DISAGREE,
          "The shape of the gradient '" + spec + "' is not known, so no zeros can be made for it",
          Contract.EXPORTER);
    }
    return Tensors.allocate(spec);
  }

  private synchronized void giveBack(NativeTensor[] tensors) {
    if (closed || idle != null) {
      Tensors.closeAll(tensors);
    } else {
      idle = tensors;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (idle != null) {
      Tensors.closeAll(idle);
      idle = null;
    }
  }
}
