/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.nio.ByteBuffer;
import java.util.List;
import org.tensorflowonspark.cluster.feed.Feed;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.cluster.node.NodeFunction;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.DType;
import org.tensorflowonspark.tensorflow.TensorSpec;

/**
 * A program that only takes its feed: every row ends in tensors, and labels are added up. Returns
 * the number of rows, the sum of labels, and the sum of all floats if asked for.
 *
 * @param batch rows of a batch
 * @param addAll whether to add up the floats as well, which takes longer than to copy them
 */
record FeedReader(int batch, boolean addAll) implements NodeFunction<double[]> {
  private static final List<TensorSpec> TENSORS =
      List.of(
          TensorSpec.of("x", DType.FLOAT32, -1, FeedRows.WIDTH),
          TensorSpec.of("y", DType.INT64, -1));

  @Override
  public double[] run(NodeContext ctx) throws InterruptedException {
    double[] sums = new double[3];
    try (Batch tensors = Batch.allocate(TENSORS, batch);
        Feed feed = ctx.feed(TENSORS).from("x", "image").from("y", "label").batch(batch).open()) {
      while (feed.next(tensors)) {
        int rows = tensors.rows();
        sums[0] += rows;
        ByteBuffer labels = tensors.buffer(1);
        for (int i = 0; i < rows; i++) {
          sums[1] += labels.getLong(i * Long.BYTES);
        }
        if (addAll) {
          ByteBuffer pixels = tensors.buffer(0);
          for (int i = 0; i < rows * FeedRows.WIDTH; i++) {
            sums[2] += pixels.getFloat(i * Float.BYTES);
          }
        }
      }
    }
    return sums;
  }
}
