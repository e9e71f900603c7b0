/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/** The same quantity, measured in several rounds; at least one. */
record Series(List<Double> values) {

  Series {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("A series without a round");
    }
  }

  static Series of(double... values) {
    List<Double> all = new ArrayList<>();
    for (double value : values) {
      all.add(value);
    }
    return new Series(all);
  }

  double median() {
    List<Double> sorted = values.stream().sorted().toList();
    int n = sorted.size();
    return (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
  }

  double min() {
    return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  double max() {
    return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  int rounds() {
    return values.size();
  }

  Series map(DoubleUnaryOperator function) {
    return new Series(values.stream().map(v -> function.applyAsDouble(v)).toList());
  }

  /** This over the other: the median of the rounds' ratios, or without pairs that of medians. */
  double over(Series other) {
    if (other.rounds() != rounds()) {
      return median() / other.median();
    }
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rounds(); i++) {
      ratios.add(values.get(i) / other.values.get(i));
    }
    return new Series(ratios).median();
  }

  /** A number as people read it. */
  static String text(double value) {
    double size = Math.abs(value);
    String format = size >= 1000 ? "%,.0f" : size >= 10 ? "%.1f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }
}
