/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import java.util.LinkedHashMap;
import java.util.Map;

/** Weighted means of loss and metrics. */
final class Means {
  private final Map<String, Double> sums = new LinkedHashMap<>();
  private double weight;

  void add(double rows, double loss, Map<String, Double> metrics) {
    weight += rows;
    sums.merge("loss", rows * loss, Double::sum);
    metrics.forEach((name, value) -> sums.merge(name, rows * value, Double::sum));
  }

  double weight() {
    return weight;
  }

  /** The sums, for an exchange between nodes. */
  double[] sums() {
    return sums.values().stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** The means, each name with {@code prefix} before it. */
  Map<String, Double> means(String prefix) {
    Map<String, Double> means = new LinkedHashMap<>();
    sums.forEach((name, sum) -> means.put(prefix + name, weight == 0 ? 0 : sum / weight));
    return means;
  }
}
