/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rates by processor time instead of the wall's, which a busy machine distorts more. */
final class CpuRates {
  private final Map<String, List<Double>> rates = new LinkedHashMap<>();

  /** Notes a lap and gives its rate by the wall's time. */
  double lap(String side, double amount, double seconds, double cpuSeconds) {
    rates.computeIfAbsent(side, s -> new ArrayList<>()).add(amount / cpuSeconds);
    return amount / seconds;
  }

  /** Forgets the laps of the warm-up. */
  void clear() {
    rates.clear();
  }

  /** How many times faster one side is; null if one of them has no lap. */
  @Nullable Double ratio(String side, String other) {
    List<Double> mine = rates.get(side);
    List<Double> theirs = rates.get(other);
    return mine == null || theirs == null ? null : new Series(mine).over(new Series(theirs));
  }

  void into(Report report, String unit) {
    rates.forEach((side, values) -> report.row("  by cpu: " + side, new Series(values), unit));
  }
}
