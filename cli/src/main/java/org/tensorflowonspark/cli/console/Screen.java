/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.console;

import java.io.PrintStream;

/**
 * A stream that a person may be looking at.
 *
 * @param out the stream
 * @param terminal whether a line can be redrawn
 * @param width columns of the terminal
 */
public record Screen(PrintStream out, boolean terminal, int width) {
  private static final int USUAL_WIDTH = 80;

  /** As {@code bin/tfos} found it: from inside a JVM, terminals look different in each version. */
  public static Screen standard() {
    return of(System.out, "tfos.terminal");
  }

  /** The same for standard error, where progress is shown by commands whose output is data. */
  public static Screen errors() {
    return of(System.err, "tfos.terminal.err");
  }

  private static Screen of(PrintStream stream, String terminal) {
    int width = Math.max(20, Integer.getInteger("tfos.columns", USUAL_WIDTH));
    return new Screen(stream, Boolean.getBoolean(terminal), width);
  }
}
