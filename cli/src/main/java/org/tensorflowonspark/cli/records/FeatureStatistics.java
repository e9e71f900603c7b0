/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureVisitor;

/** What the features of records are: their kinds, lengths, and how many records have them. */
final class FeatureStatistics implements FeatureVisitor {
  private final Map<String, Line> features = new TreeMap<>();
  private final Map<String, Line> lists = new TreeMap<>();

  @Override
  public void onFeature(String name, FeatureKind kind, int count) {
    features.computeIfAbsent(name, n -> new Line()).add(kind, count);
  }

  @Override
  public void onFeatureList(String name, FeatureKind kind, int steps, boolean mixed) {
    lists.computeIfAbsent(name, n -> new Line()).add(kind, steps);
  }

  /** As a table for people. */
  List<String> text() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("feature", "kind", "length", "records"));
    features.forEach((name, line) -> rows.add(line.cells(name, "")));
    lists.forEach((name, line) -> rows.add(line.cells(name, " steps")));
    return TextTable.lines(rows);
  }

  /** As a list for programs. */
  List<Map<String, ?>> json() {
    List<Map<String, ?>> all = new ArrayList<>();
    features.forEach((name, line) -> all.add(line.json(name, false).fields()));
    lists.forEach((name, line) -> all.add(line.json(name, true).fields()));
    return all;
  }

  private static final class Line {
    private final Set<FeatureKind> kinds = EnumSet.noneOf(FeatureKind.class);
    private long records;
    private int least = Integer.MAX_VALUE;
    private int most;

    void add(FeatureKind kind, int length) {
      kinds.add(kind);
      records++;
      least = Math.min(least, length);
      most = Math.max(most, length);
    }

    List<String> cells(String name, String unit) {
      String lengths = least == most ? "" + most : least + ".." + most;
      return List.of(
          name,
          String.join(" and ", kindNames()),
          lengths + unit,
          String.format(Locale.ROOT, "%,d", records));
    }

    Json json(String name, boolean list) {
      return Json.object()
          .with("name", name)
          .with("list", list)
          .with("kinds", kindNames())
          .with("minLength", least)
          .with("maxLength", most)
          .with("records", records);
    }

    /** Features of no kind count as records only; beside others they are no conflict. */
    private List<String> kindNames() {
      return kinds.stream()
          .filter(kind -> kind != FeatureKind.NONE || kinds.size() == 1)
          .map(kind -> kind.name().toLowerCase(Locale.ROOT))
          .toList();
    }
  }
}
