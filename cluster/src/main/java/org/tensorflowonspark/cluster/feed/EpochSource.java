/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Where a feed gets one epoch after the other from. Used, and closed, by the program's thread. */
abstract class EpochSource implements AutoCloseable {
  /** Index of the epoch that is read, or comes next, from 0. */
  int epoch;

  /** Rows of this data set that the program has taken, over all epochs. */
  long rowsUsed;

  /** Begins the next epoch, waiting for it; null when there will be none. */
  abstract @Nullable RowOrder begin() throws InterruptedException;

  /**
   * The program has taken all rows of the epoch.
   *
   * @return false when the program is to hear of it before the next epoch begins
   */
  abstract boolean end();

  @Override
  public abstract void close();

  /** A generator of its own for each combination of numbers. */
  static Random random(long seed, int... parts) {
    long mixed = seed;
    for (int part : parts) {
      // A step of SplitMix64 for each part, so that near seeds give unlike streams.
      mixed = (mixed + part + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
      mixed ^= mixed >>> 31;
    }
    return new Random(mixed);
  }
}
