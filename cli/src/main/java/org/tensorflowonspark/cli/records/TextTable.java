/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells as lines with the cells below each other. */
final class TextTable {
  private TextTable() {}

  /** All rows have as many cells; the last one's width is free. */
  static List<String> lines(List<List<String>> rows) {
    int columns = rows.isEmpty() ? 0 : rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns - 1; i++) {
        widths[i] = Math.max(widths[i], width(row.get(i)));
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String cell = row.get(i);
        line.append(cell);
        line.append(" ".repeat(Math.max(0, widths[i] - width(cell)) + (i < columns - 1 ? 2 : 0)));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
