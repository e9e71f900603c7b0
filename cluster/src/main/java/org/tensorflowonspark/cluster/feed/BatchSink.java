/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.cluster.columns.RowSink;
import org.tensorflowonspark.tensorflow.Batch;

/** Lets rows be copied straight into the native memory of a batch. */
final class BatchSink implements RowSink {
  private final List<ColumnTarget> targets;
  private final Batch batch;
  private final int[] columns;

  BatchSink(List<ColumnTarget> targets, Batch batch) {
    this.targets = targets;
    this.batch = batch;
    this.columns = targets.stream().mapToInt(t -> batch.column(t.tensor())).toArray();
  }

  Batch batch() {
    return batch;
  }

  @Override
  public ByteBuffer numbers(int column, long[] shape) {
    open(column, shape);
    return batch.buffer(columns[column]);
  }

  @Override
  public void strings(int column, long[] shape) {
    open(column, shape);
  }

  private void open(int column, long[] shape) {
    if (targets.get(column).ragged()) {
      batch.setRowShape(columns[column], Arrays.copyOfRange(shape, 1, shape.length));
    }
  }

  @Override
  public void string(int column, int element, byte[] bytes, int offset, int length) {
    batch.setString(columns[column], element, bytes, offset, length);
  }
}
