/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cli.console.CliError;
import org.tensorflowonspark.sql.hadoop.HadoopSource;
import org.tensorflowonspark.sql.hadoop.RecordFile;
import org.tensorflowonspark.sql.hadoop.RecordFiles;
import org.tensorflowonspark.sql.rows.RecordType;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;
import org.tensorflowonspark.tfrecord.RecordSource;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** What commands that read the records of some paths have in common. */
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before call()
abstract class ReadingCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "Files, folders or patterns of any file system of Hadoop's.")
  private List<String> paths = new ArrayList<>();

  @Option(names = "--json", description = "Prints JSON, for programs.")
  private boolean json;

  private final Configuration configuration = new Configuration();

  @Override
  public final Integer call() {
    try {
      RecordFiles files = RecordFiles.list(configuration, paths);
      try (ReadingProgress progress = ReadingProgress.of(files)) {
        return run(files, progress);
      }
    } catch (IOException e) {
      throw unreadable(String.join(", ", paths), e);
    }
  }

  /** Does the work and gives the exit code. */
  abstract int run(RecordFiles files, ReadingProgress progress) throws IOException;

  final boolean json() {
    return json;
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Opens a file; the caller closes it. */
  final RecordSource source(RecordFile file) throws IOException {
    return HadoopSource.open(configuration, new Path(file.path()), file.length());
  }

  /** Opens a whole file; the caller closes the reader. Damage of the first bytes shows up here. */
  final RecordReader open(RecordFile file, ReadOptions options) throws IOException {
    return RecordReader.open(source(file), options);
  }

  final void atLeast(int least, String option, int value) {
    if (value < least) {
      throw new ParameterException(
          spec.commandLine(),
          "Invalid value for option '" + option + "': " + value + " is below " + least);
    }
  }

  static TfosException unreadable(String what, IOException cause) {
    return new TfosException(
        CliError.DATA_MISSING,
        "Cannot read " + what + ": " + cause,
        "Check the path, the rights to read it and whether its file system can be reached.",
        cause);
  }

  /** Record types by the names that the data source has for them. */
  static final class Types implements ITypeConverter<RecordType>, Iterable<String> {
    @Override
    public RecordType convert(String value) {
      for (RecordType type : RecordType.values()) {
        if (type.optionValue().equalsIgnoreCase(value)) {
          return type;
        }
      }
      throw new TypeConversionException("'" + value + "' is none of " + String.join(", ", this));
    }

    @Override
    public java.util.Iterator<String> iterator() {
      return List.of(RecordType.values()).stream().map(RecordType::optionValue).iterator();
    }
  }
}
