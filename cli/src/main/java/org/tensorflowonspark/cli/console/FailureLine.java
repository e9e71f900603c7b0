/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.console;

import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/** One line for a failure, for people; the whole of it is in the log. */
public final class FailureLine {
  private static final int LONGEST = 600;

  private FailureLine() {}

  /** The message of the outermost failure of ours, or of {@code failure} when there is none. */
  public static String of(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof TfosException known) {
        return shortened(known.getMessage());
      }
    }
    return "[" + CliError.UNEXPECTED.code() + "] " + shortened(failure.toString());
  }

  private static String shortened(@Nullable String message) {
    String line = message == null ? "" : message.strip().lines().findFirst().orElse("");
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
  }
}
