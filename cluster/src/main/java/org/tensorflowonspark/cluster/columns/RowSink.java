/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.nio.ByteBuffer;

/** What rows are copied into, column by column: the tensors of a batch. */
public interface RowSink {

  /**
   * The memory of a column of numbers.
   *
   * @param column index in the plan
   * @param shape batch dimension, then the row shape; unknown dimensions are the longest in the
   *     batch
   * @return a buffer whose first bytes, from index 0 whatever its position, are the tensor's,
   *     row-major
   */
  ByteBuffer numbers(int column, long[] shape);

  /** Begins a column of strings; a call of {@link #string} follows for each element. */
  void strings(int column, long[] shape);

  /** One string: its index in row-major order and its bytes, which are only lent. */
  void string(int column, int element, byte[] bytes, int offset, int length);
}
