/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.console;

import java.io.PrintStream;

/**
 * Where the demo prints.
 *
 * @param out standard output
 * @param terminal whether a line can be redrawn
 * @param width columns of the terminal
 */
public record Screen(PrintStream out, boolean terminal, int width) {
  private static final int USUAL_WIDTH = 80;

  /** As {@code bin/tfos} found it: from inside a JVM, terminals look different in each version. */
  public static Screen standard() {
    return new Screen(
        System.out,
        Boolean.getBoolean("tfos.terminal"),
        Math.max(20, Integer.getInteger("tfos.columns", USUAL_WIDTH)));
  }
}
