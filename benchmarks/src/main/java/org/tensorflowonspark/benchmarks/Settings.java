/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a benchmark was asked for.
 *
 * @param bench its name
 * @param quick a smoke run: few rounds and small sizes, whose figures mean nothing
 * @param options values of options by name, without the dashes
 */
record Settings(String bench, boolean quick, Map<String, String> options) {
  private static final List<String> FLAGS = List.of("quick", "no-peers");
  private static final List<String> VALUES =
      List.of(
          "data",
          "python",
          "peers-java",
          "rounds",
          "batches",
          "cases",
          "inter-op",
          "executor-options");

  static Settings parse(String[] args) {
    if (args.length == 0) {
      throw new IllegalArgumentException("Name a benchmark");
    }
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 1; i < args.length; i++) {
      String name = args[i].startsWith("--") ? args[i].substring(2) : "";
      if (FLAGS.contains(name)) {
        options.put(name, "true");
      } else if (VALUES.contains(name) && i + 1 < args.length) {
        options.put(name, args[++i]);
      } else {
        throw new IllegalArgumentException("What is '" + args[i] + "'? See benchmarks/run --help");
      }
    }
    return new Settings(args[0], options.containsKey("quick"), Map.copyOf(options));
  }

  @Nullable String option(String name) {
    return options.get(name);
  }

  int number(String name, int otherwise) {
    String text = options.get(name);
    return text == null ? otherwise : Integer.parseInt(text);
  }

  /** Rounds to run: those asked for, else 2 of a smoke run, else {@code otherwise}. */
  int rounds(int otherwise) {
    return number("rounds", quick ? 2 : otherwise);
  }

  /** Whether a case is to be run; all are unless {@code --cases} names some. */
  boolean wants(String name) {
    String cases = options.get("cases");
    return cases == null || List.of(cases.split(",", -1)).contains(name);
  }

  /** A file of the repository. */
  static Path file(String path) {
    return Path.of(System.getProperty("tfos.root", ".")).toAbsolutePath().normalize().resolve(path);
  }
}
