/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.util.Locale;

/**
 * The state of training after a step, over all nodes together.
 *
 * @param step steps so far, in all epochs
 * @param rows rows seen so far, in all epochs
 * @param loss of the recent steps
 * @param accuracy of the recent steps, from 0 to 1
 */
record TrainingProgress(long step, long rows, double loss, double accuracy) {

  /** The figures for the line that shows them. */
  String words() {
    return String.format(Locale.ROOT, "step %d  loss %.4f  accuracy %.4f", step, loss, accuracy);
  }
}
