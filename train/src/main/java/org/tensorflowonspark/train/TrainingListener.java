/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import org.tensorflowonspark.cluster.control.Progress;

/** Hears of a training's progress, on the driver. */
@FunctionalInterface
public interface TrainingListener {
  /**
   * Some steps have been done. Values are {@code loss} and metrics as means over the epoch so far;
   * at an epoch's end also the validation's, with {@code val_} before the name. Must not block.
   */
  void onProgress(Progress progress);
}
