/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import java.util.List;

/**
 * What a training did.
 *
 * @param history one report for each epoch
 * @param steps optimizer steps applied, each by all nodes
 * @param rows rows used over all epochs and nodes
 * @param workers nodes that trained
 * @param end why it ended
 * @param weightsHash hash over the bytes of all variables of the trained model
 * @param seconds wall time from the call to the end
 */
public record TrainingResult(
    List<EpochReport> history,
    long steps,
    long rows,
    int workers,
    End end,
    long weightsHash,
    double seconds) {

  /** Why a training ended. */
  public enum End {
    /** All epochs are done. */
    EPOCHS,
    /** The number of steps asked for is reached. */
    STEPS,
    /** The watched figure no longer got better. */
    EARLY_STOP
  }

  /** The report of the last epoch. */
  public EpochReport last() {
    return history.get(history.size() - 1);
  }
}
