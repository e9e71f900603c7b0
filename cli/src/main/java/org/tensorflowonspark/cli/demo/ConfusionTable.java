/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.util.Locale;

/** Counts predictions by true class, and prints them as a small table. */
final class ConfusionTable {
  private final long[][] counts;

  ConfusionTable(int classes) {
    counts = new long[classes][classes];
  }

  void add(int actual, int predicted, long rows) {
    if (actual < 0 || actual >= counts.length || predicted < 0 || predicted >= counts.length) {
      throw new IllegalArgumentException(
          "Class " + actual + " predicted as " + predicted + " with " + counts.length + " classes");
    }
    counts[actual][predicted] += rows;
  }

  long total() {
    long total = 0;
    for (int actual = 0; actual < counts.length; actual++) {
      total += total(actual);
    }
    return total;
  }

  /** Share of right predictions, NaN when nothing was added. */
  double accuracy() {
    long right = 0;
    for (int c = 0; c < counts.length; c++) {
      right += counts[c][c];
    }
    return (double) right / total();
  }

  /** Rows are true classes, columns predicted ones; nothing is shown as a dot. */
  String render() {
    int cell = Math.max(4, Long.toString(total()).length() + 1);
    StringBuilder text = new StringBuilder("is \\ as");
    for (int predicted = 0; predicted < counts.length; predicted++) {
      text.append(pad(Integer.toString(predicted), cell));
    }
    text.append("   right\n");
    for (int actual = 0; actual < counts.length; actual++) {
      text.append(pad(Integer.toString(actual), 7));
      for (long count : counts[actual]) {
        text.append(pad(count == 0 ? "." : Long.toString(count), cell));
      }
      text.append(pad(share(actual), 8)).append('\n');
    }
    return text.toString();
  }

  private String share(int actual) {
    long total = total(actual);
    return total == 0
        ? "-"
        : String.format(Locale.ROOT, "%.1f %%", 100.0 * counts[actual][actual] / total);
  }

  private long total(int actual) {
    long total = 0;
    for (long count : counts[actual]) {
      total += count;
    }
    return total;
  }

  private static String pad(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }
}
