/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

import org.tensorflowonspark.cluster.collective.ElementType;
import org.tensorflowonspark.tensorflow.TensorSpec;

/** How the elements of a tensor are added up between nodes. */
public final class ElementTypes {
  private ElementTypes() {}

  /**
   * The collective's type for a tensor.
   *
   * @throws IllegalStateException for types that have no mean or sum
   */
  public static ElementType of(TensorSpec tensor) {
    return switch (tensor.dtype()) {
      case FLOAT32 -> ElementType.FLOAT32;
      case FLOAT64 -> ElementType.FLOAT64;
      case FLOAT16 -> ElementType.FLOAT16;
      case BFLOAT16 -> ElementType.BFLOAT16;
      case INT32 -> ElementType.INT32;
      case INT64 -> ElementType.INT64;
      default -> throw new IllegalStateException(tensor + " cannot be added up between nodes");
    };
  }
}
