/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import java.io.Serializable;

/**
 * Ends a training when a figure stops getting better.
 *
 * @param figure name in {@link EpochReport#figures()}, such as {@code val_loss}
 * @param patience epochs without a better value that are allowed
 * @param minDelta how much better counts
 * @param higherIsBetter whether larger values are better
 */
public record EarlyStopping(String figure, int patience, double minDelta, boolean higherIsBetter)
    implements Serializable {

  /** Watches a loss: lower is better. */
  public static EarlyStopping onLoss(String figure, int patience) {
    return new EarlyStopping(figure, patience, 0, false);
  }

  /** Watches a metric: higher is better. */
  public static EarlyStopping onMetric(String figure, int patience) {
    return new EarlyStopping(figure, patience, 0, true);
  }

  /** Ignores improvements smaller than {@code delta}. */
  public EarlyStopping minDelta(double delta) {
    return new EarlyStopping(figure, patience, delta, higherIsBetter);
  }

  boolean isBetter(double value, double best) {
    return higherIsBetter ? value > best + minDelta : value < best - minDelta;
  }

  double worst() {
    return higherIsBetter ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
  }
}
