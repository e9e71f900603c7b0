/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.base;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All options of one surface under one prefix. The documentation page is made from it and {@link
 * #resolve} is the one place that knows the order: a value set by the program, then the session's
 * configuration, then the default.
 */
public final class OptionTable {
  private final String prefix;
  private final Map<String, Option<?>> options = new LinkedHashMap<>();

  private OptionTable(String prefix) {
    this.prefix = prefix;
  }

  /**
   * A table of {@code options}.
   *
   * @param prefix common start of all keys, ending in a dot; a key of the configuration that starts
   *     with it and is not in the table is an error
   */
  public static OptionTable of(String prefix, Option<?>... options) {
    OptionTable table = new OptionTable(prefix);
    for (Option<?> option : options) {
      if (!option.key().startsWith(prefix) || table.options.put(option.key(), option) != null) {
        throw new IllegalArgumentException("Misplaced or repeated option " + option.key());
      }
    }
    return table;
  }

  /** The options in documented order. */
  public Collection<Option<?>> options() {
    return List.copyOf(options.values());
  }

  /**
   * Reads every option once.
   *
   * @param explicit values that the program set, by full key; text or objects of the option's type
   * @param session the session's configuration; keys without this table's prefix are left alone
   * @throws TfosException for a key that is not in the table (names the nearest one) or a value
   *     that cannot be read
   */
  public OptionValues resolve(Map<String, ?> explicit, Map<String, String> session) {
    explicit.keySet().forEach(this::checkKnown);
    session.keySet().stream().filter(k -> k.startsWith(prefix)).forEach(this::checkKnown);
    Map<String, Object> values = new LinkedHashMap<>();
    for (Option<?> option : options.values()) {
      Object raw = explicit.get(option.key());
      if (raw == null) {
        raw = session.get(option.key());
      }
      values.put(option.key(), raw == null ? option.defaultValue() : option.read(raw));
    }
    return new OptionValues(values);
  }

  private void checkKnown(String key) {
    if (options.containsKey(key)) {
      return;
    }
    String near = nearest(key, options.keySet());
    throw new TfosException(
        OptionError.UNKNOWN_OPTION,
        "Unknown option '" + key + "'",
        near == null
            ? "Known are " + String.join(", ", options.keySet()) + "."
            : "Did you mean '" + near + "'?");
  }

  /** The candidate that a misspelt name most likely stood for, or null when none is near. */
  public static @Nullable String nearest(String name, Collection<String> candidates) {
    String best = null;
    int bestDistance = Math.max(2, name.length() / 3) + 1;
    for (String candidate : candidates) {
      int distance =
          editDistance(
              name.toLowerCase(java.util.Locale.ROOT),
              candidate.toLowerCase(java.util.Locale.ROOT));
      if (distance < bestDistance) {
        bestDistance = distance;
        best = candidate;
      }
    }
    return best;
  }

  /** Levenshtein's distance, by rows. */
  private static int editDistance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }

  /** A Markdown table of the options, as it stands in the documentation. */
  public String toMarkdown() {
    List<String> lines = new ArrayList<>();
    lines.add("| option | type | default | meaning |");
    lines.add("|---|---|---|---|");
    for (Option<?> option : options.values()) {
      lines.add(
          String.format(
              "| `%s` | %s | %s | %s |",
              option.key(), option.type(), defaultCell(option), option.doc()));
    }
    return String.join("\n", lines) + "\n";
  }

  private static String defaultCell(Option<?> option) {
    String text = option.defaultText();
    return text.isEmpty() ? "" : "`" + text + "`";
  }
}
