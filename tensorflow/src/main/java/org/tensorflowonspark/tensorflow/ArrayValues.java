/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.nio.ByteBuffer;
import org.tensorflowonspark.base.TfosException;

/** Java's arrays into native memory. */
final class ArrayValues {
  private ArrayValues() {}

  static void put(TensorSpec column, ByteBuffer memory, Object values) {
    int width = column.dtype().bytes();
    if (values instanceof float[] v && column.dtype() == DType.FLOAT32) {
      memory.asFloatBuffer().put(v);
    } else if (values instanceof double[] v && column.dtype() == DType.FLOAT64) {
      memory.asDoubleBuffer().put(v);
    } else if (values instanceof int[] v && width == 4 && !column.dtype().isFloating()) {
      memory.asIntBuffer().put(v);
    } else if (values instanceof long[] v && width == 8 && !column.dtype().isFloating()) {
      memory.asLongBuffer().put(v);
    } else if (values instanceof short[] v && width == 2) {
      memory.asShortBuffer().put(v);
    } else if (values instanceof byte[] v && width == 1) {
      memory.put(v);
    } else if (values instanceof boolean[] v && width == 1) {
      for (boolean b : v) {
        memory.put((byte) (b ? 1 : 0));
      }
    } else {
      throw new TfosException(
          ModelError.BATCH_MISMATCH,
          "A " + values.getClass().getSimpleName() + " does not fit column " + column,
          "Give an array whose elements have the width of the column's type.");
    }
  }
}
