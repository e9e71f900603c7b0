/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.shim.NativeStrings;
import org.tensorflowonspark.tensorflow.shim.NativeTensor;

/** Between specs and native tensors. */
final class Tensors {
  private Tensors() {}

  static NativeTensor allocate(TensorSpec spec) {
    if (!spec.dtype().isFixedWidth()) {
      return NativeStrings.allocate(spec.dims());
    }
    return NativeTensor.allocate(spec.dtype().number(), spec.dims(), checked(spec));
  }

  private static long checked(TensorSpec spec) {
    long bytes = spec.byteSize();
    if (bytes > Integer.MAX_VALUE) {
      throw new TfosException(
          ModelError.TOO_LARGE,
          spec + " takes " + bytes + " bytes",
          "A tensor of up to 2 GB can be handled: split it, or take fewer rows.");
    }
    return bytes;
  }

  /** The same values in memory that nobody else refers to; closes the given one if it is copied. */
  static NativeTensor own(TensorSpec spec, NativeTensor tensor) {
    if (tensor.exclusive()) {
      return tensor;
    }
    try (tensor) {
      if (spec.dtype().isFixedWidth()) {
        return tensor.copy();
      }
      NativeTensor copy = NativeStrings.allocate(tensor.shape());
      NativeStrings.copy(tensor, copy, (int) spec.elements());
      return copy;
    }
  }

  static ByteBuffer view(TensorSpec spec, NativeTensor tensor) {
    if (!spec.dtype().isFixedWidth()) {
      throw new TfosException(
          ModelError.BATCH_MISMATCH,
          spec + " has no buffer",
          "Read and write strings one by one or with offsets.");
    }
    // The memory may be larger than the shape: a step with fewer rows than there is room for.
    return tensor
        .buffer()
        .duplicate()
        .order(ByteOrder.nativeOrder())
        .clear()
        .limit((int) spec.byteSize());
  }

  static void requireString(TensorSpec spec) {
    if (spec.dtype() != DType.STRING) {
      throw new TfosException(
          ModelError.BATCH_MISMATCH, spec + " holds no strings", "Use its buffer.");
    }
  }

  static double scalar(DType dtype, NativeTensor tensor) {
    return dtype.toDouble(tensor.buffer(), 0);
  }

  static void closeAll(@Nullable NativeTensor[] tensors) {
    for (NativeTensor tensor : tensors) {
      if (tensor != null) {
        tensor.close();
      }
    }
  }
}
