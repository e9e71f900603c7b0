/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tfos records}: a group of commands, which by itself says what they are. */
@Command(
    name = "records",
    mixinStandardHelpOptions = true,
    exitCodeOnInvalidInput = 2,
    exitCodeOnExecutionException = 1,
    description = {
      "Looks at TFRecord files, checks and converts them.",
      "Paths are files, folders and patterns of any file system of Hadoop's: local ones, hdfs://"
          + " and so on, with the settings in HADOOP_CONF_DIR."
    },
    footer = {
      "",
      "Exit codes: 0 fine, 1 damage found or a failure, 2 called wrongly.",
      "",
      "Examples:",
      "  tfos records schema data/                        what a DataFrame would look like",
      "  tfos records head -n 3 'data/*.tfrecord'         the first records",
      "  tfos records verify hdfs://name/data --json      every damaged place, for programs",
      "  tfos records convert rows.csv rows.tfrecord      by Spark, on all cores"
    },
    subcommands = {
      SchemaCommand.class,
      HeadCommand.class,
      CountCommand.class,
      VerifyCommand.class,
      ConvertCommand.class
    })
public final class RecordsCommand implements Runnable {
  @Spec private CommandSpec spec; // set by picocli

  /** For picocli. */
  @SuppressWarnings("NullAway.Init") // picocli sets the annotated field before run()
  public RecordsCommand() {}

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
