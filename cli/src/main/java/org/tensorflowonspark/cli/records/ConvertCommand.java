/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.sql.rows.RecordType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tfos records convert}. */
@Command(
    name = "convert",
    mixinStandardHelpOptions = true,
    exitCodeOnInvalidInput = 2,
    exitCodeOnExecutionException = 1,
    sortOptions = false,
    description = {
      "Converts CSV, JSON (an object a line) and Parquet to TFRecord and back, by Spark on all cores"
          + " of this machine.",
      "OUTPUT is a folder of part files; it appears whole or not at all. Binary values are base64 in"
          + " JSON; CSV has no place for them, nor for lists, and takes an empty text for no value."
    },
    footer = {
      "",
      "Examples:",
      "  tfos records convert rows.csv rows.tfrecord --schema 'id BIGINT, x FLOAT'",
      "  tfos records convert hdfs://name/table.parquet hdfs://name/table.tfrecord --compression gzip",
      "  tfos records convert data.tfrecord data.json --partitions 1"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before call()
final class ConvertCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "INPUT", description = "File, folder or pattern to read.")
  private String input;

  @Parameters(index = "1", paramLabel = "OUTPUT", description = "Folder to write.")
  private String output;

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES} (default: by the names of the files).")
  private @Nullable FileFormat from;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      description = "The same for OUTPUT (default: by its name).")
  private @Nullable FileFormat to;

  @Option(
      names = "--schema",
      paramLabel = "DDL",
      description =
          "Columns to read, such as 'id BIGINT, x ARRAY<FLOAT>' (default: told from the data).")
  private @Nullable String schema;

  @Option(
      names = "--record-type",
      paramLabel = "TYPE",
      defaultValue = "Example",
      converter = ReadingCommand.Types.class,
      completionCandidates = ReadingCommand.Types.class,
      description =
          "What TFRecord's records are: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private RecordType type;

  @Option(
      names = "--binary-as-string",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Whether bytes of TFRecord without a schema are STRING or BINARY (default:"
              + " ${DEFAULT-VALUE}).")
  private boolean binaryAsString;

  @Option(
      names = "--compression",
      paramLabel = "NAME",
      description =
          "Of OUTPUT: none, gzip, zlib, or what else Spark has for it (default: its own).")
  private @Nullable String compression;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "Files to write (default: as many as parts were read).")
  private @Nullable Integer partitions;

  @Option(
      names = "--header",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Whether CSV files begin with names (default: ${DEFAULT-VALUE}).")
  private boolean header;

  @Option(
      names = "--multi-line",
      description =
          "Texts in CSV may have line breaks, and JSON objects several lines; one core reads a file.")
  private boolean multiLine;

  @Option(names = "--overwrite", description = "Replaces OUTPUT once the new one is complete.")
  private boolean overwrite;

  @Option(names = "--json", description = "Prints JSON, for programs.")
  private boolean json;

  @Override
  public Integer call() {
    if (partitions != null && partitions < 1) {
      throw misuse("Invalid value for option '--partitions': " + partitions + " is below 1");
    }
    ConversionPaths paths = new ConversionPaths(new Configuration(), input, output);
    try {
      FileFormat source = from == null ? paths.inputFormat() : from;
      FileFormat target = to == null ? FileFormat.of(output) : to;
      if (source == null || target == null) {
        throw misuse(
            source == null
                ? "'" + input + "' does not say which format it has; give --from"
                : "'" + output + "' does not say which format it has; give --to");
      }
      if (source != FileFormat.TFRECORD && target != FileFormat.TFRECORD) {
        throw misuse("From " + source.spark() + " to " + target.spark() + ": neither is tfrecord");
      }
      Conversion conversion =
          new Conversion(
              source,
              target,
              schema,
              type,
              binaryAsString,
              compression,
              partitions,
              header,
              multiLine);
      paths.checkOutput(overwrite);
      show(conversion.run(paths), source, target);
      return 0;
    } catch (IOException e) {
      throw ReadingCommand.unreadable(input + " or write " + output, e);
    }
  }

  private void show(Conversion.Result result, FileFormat source, FileFormat target) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          Json.object()
              .with("input", input)
              .with("output", output)
              .with("from", source.spark())
              .with("to", target.spark())
              .with("schema", result.schema())
              .with("records", result.rows())
              .with("files", result.files())
              .with("bytes", result.bytes()));
      return;
    }
    out.println("schema: " + result.schema());
    out.println(
        String.format(
            "%s in %s, %s: %s",
            Sizes.counted(result.rows(), "record"),
            Sizes.counted(result.files(), "file"),
            Sizes.text(result.bytes()),
            output));
  }

  private ParameterException misuse(String text) {
    return new ParameterException(spec.commandLine(), text);
  }
}
