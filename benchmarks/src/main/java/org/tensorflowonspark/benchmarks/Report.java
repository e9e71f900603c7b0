/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects figures of one benchmark; prints a table, notes, the machine and the cases as JSON. */
final class Report {
  private static final double QUIET_LOAD = 3;

  private final String bench;
  private final double load = Machine.load();
  private final boolean noisy;
  private final List<String> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final List<Result> results = new ArrayList<>();

  Report(Settings settings) {
    bench = settings.bench();
    noisy = load > QUIET_LOAD || settings.quick();
    if (load > QUIET_LOAD) {
      System.err.printf("The load average is %.1f: these figures will be noisy%n", load);
    }
  }

  /** A measured side. */
  void row(String what, Series s, String unit) {
    rows.add(
        String.format(
            "%-44s %12s %-9s %12s .. %-12s %d rounds",
            what,
            Series.text(s.median()),
            unit,
            Series.text(s.min()),
            Series.text(s.max()),
            s.rounds()));
  }

  /** A sentence below the table: what is excluded, what was checked. */
  void note(String sentence) {
    notes.add(sentence);
  }

  void add(Result result) {
    results.add(result);
  }

  void print(PrintStream out) {
    out.println();
    rows.forEach(out::println);
    out.println();
    out.printf(
        "%-12s %12s %-9s %-18s %12s %8s %12s %8s%n",
        "case", "value", "", "peer", "its value", "ratio", "limit", "of limit");
    for (Result r : results) {
      Series theirs = r.peerValue;
      out.printf(
          "%-12s %12s %-9s %-18s %12s %8s %12s %8s  %s%n",
          r.name,
          Series.text(r.value.median()),
          r.unit,
          r.peer == null ? "-" : r.peer,
          theirs != null ? Series.text(theirs.median()) : r.peer == null ? "-" : "not raced",
          text(r.ratio),
          text(r.limit),
          text(r.limitRatio),
          musts(r));
    }
    out.println();
    notes.forEach(note -> out.println("- " + note));
    if (noisy) {
      out.println("- noisy: the machine was busy or this was a smoke run");
    }
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("bench", bench);
    machine.put("machine", Machine.describe());
    machine.put("versions", Machine.versions());
    machine.put("load_average", load);
    machine.put("noisy", noisy);
    out.println(json(machine));
    results.forEach(r -> out.println(json(r.json(bench, noisy))));
    out.flush();
  }

  private static String musts(Result result) {
    List<String> texts = new ArrayList<>();
    result.musts().forEach((what, met) -> texts.add((met ? "reached: " : "MISSED: ") + what));
    return String.join("; ", texts);
  }

  private static String text(@Nullable Double figure) {
    return figure == null ? "-" : Series.text(figure);
  }

  private static String json(Object value) {
    try {
      return new ObjectMapper().writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Not to be written as JSON: " + value, e);
    }
  }
}
