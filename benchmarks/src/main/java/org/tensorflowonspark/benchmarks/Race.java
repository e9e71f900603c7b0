/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Several sides whose rounds are interleaved: first one round of each, then the next of each. */
final class Race {
  private final int rounds;
  private final Map<String, Side> sides = new LinkedHashMap<>();
  private final Map<String, List<Double>> values = new HashMap<>();
  private final Map<String, List<String>> failures = new HashMap<>();

  /** One round of one side. */
  @FunctionalInterface
  interface Lap {
    /** Gives the round's figure, once its result has been checked. */
    double run() throws Exception;
  }

  private record Side(int times, Lap lap) {
    /** Spreads fewer laps than rounds evenly. */
    boolean runsIn(int round, int rounds) {
      int often = Math.min(times, rounds);
      return (round + 1) * often / rounds > round * often / rounds;
    }
  }

  Race(int rounds) {
    this.rounds = Math.max(1, rounds);
  }

  /** A side that takes part in each round. */
  Race side(String name, Lap lap) {
    return side(name, rounds, lap);
  }

  /** A side whose laps are long, so that it takes part in some of the rounds. */
  Race side(String name, int times, Lap lap) {
    sides.put(name, new Side(times, lap));
    return this;
  }

  /** A peer that failed twice before it ever had a result is not tried again. */
  private boolean isOut(String name) {
    return failures.getOrDefault(name, List.of()).size() > 1 && !values.containsKey(name);
  }

  /**
   * Runs all rounds. A round in which a peer gives no result does not count; ours must have one.
   */
  Race run() throws Exception {
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, Side> entry : sides.entrySet()) {
        String name = entry.getKey();
        if (isOut(name) || !entry.getValue().runsIn(round, rounds)) {
          continue;
        }
        try {
          double value = entry.getValue().lap().run();
          values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
          System.err.printf("round %d: %s %s%n", round + 1, name, Series.text(value));
        } catch (NotRaced e) {
          failures
              .computeIfAbsent(name, n -> new ArrayList<>())
              .add(String.valueOf(e.getMessage()));
          System.err.println(name + " has no result: " + e.getMessage());
        }
      }
    }
    return this;
  }

  /** Figures of a side, or null if it was not raced. */
  @Nullable Series find(String name) {
    List<Double> found = values.get(name);
    return found == null ? null : new Series(found);
  }

  /** Figures of a side that cannot be left out. */
  Series get(String name) {
    return new Series(values.getOrDefault(name, List.of()));
  }

  /** Prints all sides into the report's table. */
  void into(Report report, String unit) {
    for (String name : sides.keySet()) {
      Series found = find(name);
      if (found != null) {
        report.row(name, found, unit);
      }
      List<String> reasons = failures.getOrDefault(name, List.of());
      if (!reasons.isEmpty()) {
        String what = found == null ? "not raced" : reasons.size() + " rounds without a result";
        report.note(name + ": " + what + ", " + reasons.get(0));
      }
    }
  }
}
