/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.util.zip.CRC32C;
import org.tensorflowonspark.tensorflow.TensorList;
import org.tensorflowonspark.tensorflow.TrainableModel;

/** Compares models by their variables. */
final class Weights {
  private Weights() {}

  /** A checksum over the bytes of all variables of fixed width. */
  static long checksum(TrainableModel model) {
    CRC32C sum = new CRC32C();
    try (TensorList variables = model.readVariables()) {
      for (int i = 0; i < variables.size(); i++) {
        if (variables.spec(i).dtype().isFixedWidth()) {
          sum.update(variables.buffer(i));
        }
      }
    }
    return sum.getValue();
  }
}
