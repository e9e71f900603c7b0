/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.io.IOException;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.sql.hadoop.RecordFile;
import org.tensorflowonspark.sql.hadoop.RecordFiles;
import org.tensorflowonspark.sql.rows.BadRecordException;
import org.tensorflowonspark.sql.rows.RecordType;
import org.tensorflowonspark.sql.rows.SchemaInference;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tfos records schema}. */
@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    exitCodeOnInvalidInput = 2,
    exitCodeOnExecutionException = 1,
    sortOptions = false,
    description = {
      "Shows the features of the records, and the schema of a DataFrame of them.",
      "Features that hold different kinds of values are shown; they have no schema: exit code 1."
    })
final class SchemaCommand extends ReadingCommand {
  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Looks at the first N records only (default: at all).")
  private @Nullable Integer limit;

  @Option(
      names = "--record-type",
      paramLabel = "TYPE",
      defaultValue = "Example",
      converter = ReadingCommand.Types.class,
      completionCandidates = ReadingCommand.Types.class,
      description = "What the records are: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private RecordType type = RecordType.EXAMPLE;

  @Option(
      names = "--binary-as-string",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Whether bytes are STRING or BINARY (default: ${DEFAULT-VALUE}).")
  private boolean binaryAsString = true;

  private final FeatureStatistics statistics = new FeatureStatistics();

  @Override
  int run(RecordFiles files, ReadingProgress progress) throws IOException {
    if (limit != null) {
      atLeast(1, "--limit", limit);
    }
    SchemaInference inference = SchemaInference.of(type, binaryAsString);
    for (RecordFile file : files.files()) {
      add(file, inference, progress);
    }
    progress.clear();
    show(files, inference);
    return 0;
  }

  private boolean enough(SchemaInference inference) {
    return limit != null && inference.records() >= limit;
  }

  private void add(RecordFile file, SchemaInference inference, ReadingProgress progress) {
    try (RecordReader reader = open(file, ReadOptions.of(file.compression()))) {
      while (!enough(inference) && reader.next()) {
        add(reader, inference);
        progress.at(file, reader.position());
      }
    } catch (IOException e) {
      throw unreadable(file.path(), e);
    }
    progress.done(file);
  }

  private void add(RecordReader reader, SchemaInference inference) {
    try {
      inference.addShowing(reader.buffer(), reader.offset(), reader.length(), statistics);
    } catch (BadRecordException e) {
      throw e.at(reader.file(), reader.position());
    }
  }

  private void show(RecordFiles files, SchemaInference inference) {
    StructType schema = null;
    TfosException conflict = null;
    try {
      schema = inference.schema();
    } catch (TfosException e) {
      conflict = e;
    }
    if (json()) {
      out()
          .println(
              Json.object()
                  .with("ddl", schema == null ? null : schema.toDDL())
                  .with("features", statistics.json())
                  .with("records", inference.records())
                  .with("files", files.files().size())
                  .with("bytes", files.bytes()));
    } else {
      statistics.text().forEach(out()::println);
      out().println();
      out().println(read(files, inference));
      if (schema != null) {
        out().println("schema: " + schema.toDDL());
      }
    }
    if (conflict != null) {
      throw conflict;
    }
  }

  private String read(RecordFiles files, SchemaInference inference) {
    return (enough(inference) ? "first " : "")
        + Sizes.counted(inference.records(), "record")
        + " of "
        + Sizes.counted(files.files().size(), "file")
        + ", "
        + Sizes.text(files.bytes());
  }
}
