/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

import java.util.Map;

/**
 * What all nodes together did in one step; the same on every node.
 *
 * @param weight sum of the weights of all rows of the step; 0 when no node had rows, and then there
 *     is nothing to apply
 * @param loss weighted mean over all rows
 * @param metrics weighted means over all rows, by name
 */
public record StepResult(double weight, double loss, Map<String, Double> metrics) {

  /** Whether any node had rows. */
  public boolean hasRows() {
    return weight > 0;
  }
}
