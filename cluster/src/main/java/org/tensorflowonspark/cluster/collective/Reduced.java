/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

/** What an all-reduce gives back beside the buffers; the same on every rank. */
public final class Reduced {
  private final double totalWeight;
  private final double[] scalars;

  Reduced(double totalWeight, double[] scalars) {
    this.totalWeight = totalWeight;
    this.scalars = scalars;
  }

  /** Sum of the weights of all ranks; zero when no rank had data. */
  public double totalWeight() {
    return totalWeight;
  }

  /** Sum over all ranks of the scalar at {@code index}. */
  public double scalar(int index) {
    return scalars[index];
  }

  /** All sums, a copy. */
  public double[] scalars() {
    return scalars.clone();
  }
}
