/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.SignatureDef;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.shim.NativeException;
import org.tensorflowonspark.tensorflow.shim.NativeModel;
import org.tensorflowonspark.tensorflow.shim.NativeTensor;
import org.tensorflowonspark.tensorflow.shim.RunPlan;

/** One signature, prepared: which columns go in, in which order, and what comes out. */
final class Step {
  private final String name;
  private final List<TensorSpec> inputs;
  private final RunPlan plan;
  private volatile @Nullable Binding last;

  /** Where a batch has the columns that this step takes. */
  private static final class Binding {
    final List<TensorSpec> columns;
    final int[] positions;

    Binding(List<TensorSpec> columns, int[] positions) {
      this.columns = columns;
      this.positions = positions;
    }
  }

  Step(
      NativeModel model,
      String name,
      SignatureDef signature,
      List<TensorSpec> inputs,
      List<String> outputs) {
    this.name = name;
    this.inputs = inputs;
    Map<String, String> feeds = Contract.endpoints(signature.getInputsMap());
    Map<String, String> fetches = Contract.endpoints(signature.getOutputsMap());
    List<String> in = new ArrayList<>();
    inputs.forEach(i -> in.add(Objects.requireNonNull(feeds.get(i.name()))));
    List<String> out = new ArrayList<>();
    outputs.forEach(o -> out.add(Objects.requireNonNull(fetches.get(o))));
    this.plan = model.plan(in, out, List.of());
  }

  NativeTensor[] run(Batch batch) {
    int[] positions = positions(batch);
    NativeTensor[] values = new NativeTensor[positions.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = batch.tensor(positions[i]);
    }
    try {
      return run(values);
    } catch (TfosException e) {
      List<TensorSpec> fed = new ArrayList<>();
      for (int position : positions) {
        fed.add(batch.spec(position));
      }
      e.addSuppressed(new IllegalArgumentException("The batch was " + fed));
      throw e;
    } finally {
      batch.releaseKept(positions);
    }
  }

  NativeTensor[] run(NativeTensor... values) {
    try {
      return plan.run(values);
    } catch (NativeException e) {
      throw new TfosException(
          ModelError.RUN_FAILED,
          "TensorFlow failed in '" + name + "': " + e.getMessage(),
          "See what the operation that it names says of its inputs, and compare the shapes of the"
              + " data with the model's signature.",
          e);
    }
  }

  private int[] positions(Batch batch) {
    Binding known = last;
    if (known == null || !known.columns.equals(batch.columns())) {
      known = new Binding(batch.columns(), batch.positions(inputs));
      last = known;
    }
    return known.positions;
  }
}
