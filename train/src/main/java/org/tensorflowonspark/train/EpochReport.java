/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one epoch did, over all nodes.
 *
 * @param epoch index, from 0
 * @param steps steps applied in it
 * @param rows rows used in it
 * @param figures {@code loss} and the model's metrics as weighted means over the rows, measured
 *     while training; with {@code val_} before the name, measured on the validation data afterwards
 * @param seconds wall time, validation included
 */
public record EpochReport(
    int epoch, long steps, long rows, Map<String, Double> figures, double seconds)
    implements Serializable {

  /** Keeps the order of the figures. */
  public EpochReport {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  /** The mean loss over the rows of the epoch. */
  public double loss() {
    return figures.getOrDefault("loss", Double.NaN);
  }
}
