/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.Set;
import java.util.TreeSet;
import org.tensorflowonspark.base.OptionTable;
import org.tensorflowonspark.cli.console.FailureLine;
import org.tensorflowonspark.cli.console.LogFile;
import org.tensorflowonspark.cli.demo.DemoCommand;
import org.tensorflowonspark.cli.records.RecordsCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command {@code tfos}. Exit code 0 for success, 1 for a failure, 2 when it was called wrongly;
 * the latter two with one line.
 */
@Command(
    name = "tfos",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    exitCodeOnInvalidInput = 2,
    exitCodeOnExecutionException = 1,
    description = "TensorFlow programs on the executors of an Apache Spark cluster.",
    footer = {
      "",
      "Examples:",
      "  tfos demo                 train the MNIST example on a cluster on this machine",
      "  tfos demo --help          what the demo can be told",
      "  tfos records --help       look at TFRecord files, check and convert them"
    },
    subcommands = {DemoCommand.class, RecordsCommand.class})
public final class Tfos implements Runnable {
  @Spec private CommandSpec spec; // set by picocli

  @SuppressWarnings("NullAway.Init") // picocli sets the annotated field before run()
  Tfos() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    LogFile log = LogFile.choose(); // before anything has a logger
    // Names and texts out of files have any letters, whatever the locale of this machine is.
    PrintWriter out =
        new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out, UTF_8)), false);
    CommandLine commandLine = commandLine(log).setOut(out);
    int code = commandLine.execute(args);
    out.flush();
    System.exit(code);
  }

  static CommandLine commandLine(LogFile log) {
    return new CommandLine(new Tfos())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((failure, line, result) -> failed(failure, line, log))
        .setParameterExceptionHandler((failure, args) -> misused(failure));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  private static int failed(Exception failure, CommandLine line, LogFile log) {
    log.write(failure);
    line.getErr().println("tfos: " + FailureLine.of(failure) + " (log: " + log.path() + ")");
    line.getErr().flush();
    return 1;
  }

  private static int misused(ParameterException failure) {
    CommandLine line = failure.getCommandLine();
    PrintWriter err = line.getErr();
    String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    err.print("tfos: " + text);
    if (failure instanceof UnmatchedArgumentException unmatched) {
      Set<String> known = new TreeSet<>(line.getCommandSpec().optionsMap().keySet());
      known.addAll(line.getSubcommands().keySet());
      String near = OptionTable.nearest(unmatched.getUnmatched().get(0), known);
      err.print(near == null ? "" : ". Did you mean '" + near + "'?");
    }
    err.println(" (see '" + line.getCommandSpec().qualifiedName() + " --help')");
    err.flush();
    return line.getCommandSpec().exitCodeOnInvalidInput();
  }
}
