/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.sql.hadoop.RecordFile;
import org.tensorflowonspark.sql.hadoop.RecordFiles;
import org.tensorflowonspark.sql.rows.RecordType;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordError;
import org.tensorflowonspark.tfrecord.RecordReader;
import org.tensorflowonspark.tfrecord.example.MalformedExampleException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tfos records head}. */
@Command(
    name = "head",
    mixinStandardHelpOptions = true,
    exitCodeOnInvalidInput = 2,
    exitCodeOnExecutionException = 1,
    sortOptions = false,
    description = {
      "Shows the first records.",
      "With --json one object a line with all values; bytes that are no UTF-8 text are"
          + " {\"base64\": ...}."
    })
final class HeadCommand extends ReadingCommand {
  /** Steps of a feature list that people are shown. */
  private static final int STEPS = 4;

  @Option(
      names = {"-n", "--records"},
      paramLabel = "N",
      defaultValue = "10",
      description = "How many (default: ${DEFAULT-VALUE}).")
  private int wanted;

  @Option(
      names = "--record-type",
      paramLabel = "TYPE",
      defaultValue = "Example",
      converter = ReadingCommand.Types.class,
      completionCandidates = ReadingCommand.Types.class,
      description = "What the records are: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private RecordType type = RecordType.EXAMPLE;

  @Override
  int run(RecordFiles files, ReadingProgress progress) throws IOException {
    atLeast(0, "-n", wanted);
    int shown = 0;
    for (RecordFile file : files.files()) {
      if (shown == wanted) {
        break;
      }
      try (RecordReader reader = open(file, ReadOptions.of(file.compression()))) {
        while (shown < wanted && reader.next()) {
          show(shown++, reader);
        }
      } catch (IOException e) {
        throw unreadable(file.path(), e);
      }
    }
    return 0;
  }

  private void show(int index, RecordReader reader) {
    Json json =
        Json.object()
            .with("file", reader.file())
            .with("offset", reader.position())
            .with("length", reader.length());
    List<List<String>> rows = new ArrayList<>();
    if (type == RecordType.BYTE_ARRAY) {
      byte[] bytes =
          Arrays.copyOfRange(reader.buffer(), reader.offset(), reader.offset() + reader.length());
      json.with("bytes", Bytes.json(bytes));
      rows.add(List.of(Bytes.text(bytes)));
    } else {
      RecordContent content = content(reader);
      addTo(json, content);
      addTo(rows, content);
    }
    if (json()) {
      out().println(json);
      return;
    }
    out()
        .println(
            String.format(
                Locale.ROOT,
                "record %d: %s at byte %d, %s",
                index,
                reader.file(),
                reader.position(),
                Sizes.counted(reader.length(), "byte")));
    TextTable.lines(rows).forEach(line -> out().println("  " + line));
  }

  private RecordContent content(RecordReader reader) {
    try {
      return RecordContent.of(reader, type);
    } catch (MalformedExampleException e) {
      throw new TfosException(
          RecordError.MALFORMED_EXAMPLE,
          String.format(
              "%s at byte %d: not a tf.train.%s: %s",
              reader.file(), reader.position(), type.optionValue(), e.getMessage()),
          "Give --record-type what the records are; ByteArray shows any.",
          e);
    }
  }

  private void addTo(Json json, RecordContent content) {
    Map<String, @Nullable Object> features = new LinkedHashMap<>();
    content.features().forEach((name, feature) -> features.put(name, feature.json().fields()));
    json.with(type == RecordType.EXAMPLE ? "features" : "context", features);
    if (type == RecordType.SEQUENCE_EXAMPLE) {
      Map<String, @Nullable Object> lists = new LinkedHashMap<>();
      content
          .lists()
          .forEach(
              (name, steps) ->
                  lists.put(name, steps.stream().map(step -> step.json().fields()).toList()));
      json.with("featureLists", lists);
    }
  }

  private static void addTo(List<List<String>> rows, RecordContent content) {
    content
        .features()
        .forEach((name, feature) -> rows.add(List.of(name, feature.type(), feature.text())));
    content
        .lists()
        .forEach(
            (name, steps) -> {
              rows.add(List.of(name, Sizes.counted(steps.size(), "step"), ""));
              for (int i = 0; i < Math.min(steps.size(), STEPS); i++) {
                Feature step = steps.get(i);
                rows.add(List.of("  " + i, step.type(), step.text()));
              }
              if (steps.size() > STEPS) {
                rows.add(List.of("  ...", "", ""));
              }
            });
  }
}
