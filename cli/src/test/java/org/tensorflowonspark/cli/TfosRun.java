/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli;

import java.nio.file.Path;
import org.tensorflowonspark.cli.console.LogFile;
import picocli.CommandLine;

/** The whole command for tests of its parts. */
public final class TfosRun {
  private TfosRun() {}

  /** The command as {@code main} has it, with its log at {@code log}. */
  public static CommandLine commandLine(Path log) {
    return Tfos.commandLine(new LogFile(log));
  }
}
