/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.io.Serializable;

/**
 * How often, and in which order, programs see the rows of a data set. Every epoch has every row
 * exactly once.
 *
 * @param count number of epochs, from 1
 * @param isShuffled whether rows come in random order
 * @param seed seed of that order
 * @param isDeterministic whether rows go to nodes by a fixed rule (partition p to node p modulo
 *     workers, in order) instead of to the node that needs them most
 */
public record Epochs(int count, boolean isShuffled, long seed, boolean isDeterministic)
    implements Serializable {

  /** Checks the count. */
  public Epochs {
    if (count < 1) {
      throw new IllegalArgumentException("Epochs must be at least 1, not " + count);
    }
  }

  /** {@code count} epochs in the order of the data set. */
  public static Epochs of(int count) {
    return new Epochs(count, false, 0, false);
  }

  /** The same epochs with rows in a random order that depends on {@code seed} alone. */
  public Epochs shuffled(long seed) {
    return new Epochs(count, true, seed, isDeterministic);
  }

  /**
   * The same epochs with a fixed rule for which node sees which rows in which order, so that a run
   * can be repeated to the bit. Costs some speed when partitions are uneven.
   */
  public Epochs deterministic() {
    return new Epochs(count, isShuffled, seed, true);
  }
}
