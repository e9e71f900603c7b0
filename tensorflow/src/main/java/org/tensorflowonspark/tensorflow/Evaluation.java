/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a model says of one batch in inference mode. Weighted means: several are put together by
 * weight.
 *
 * @param weight weight of the batch, the sum of its row weights
 * @param loss weighted mean; 0 when the weight is 0
 * @param metrics by name, in the model's order
 */
public record Evaluation(double weight, double loss, Map<String, Double> metrics) {
  public Evaluation {
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
  }
}
