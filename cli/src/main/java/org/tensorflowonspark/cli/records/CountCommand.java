/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.sql.hadoop.RecordFile;
import org.tensorflowonspark.sql.hadoop.RecordFiles;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tfos records count}. */
@Command(
    name = "count",
    mixinStandardHelpOptions = true,
    exitCodeOnInvalidInput = 2,
    exitCodeOnExecutionException = 1,
    sortOptions = false,
    description = {
      "Counts the records of each file, and of all.",
      "The checksums of all headers are looked at; damage ends the count with exit code 1."
    })
final class CountCommand extends ReadingCommand {
  @Option(names = "--check-crc", description = "Also looks at the checksums of the data.")
  private boolean checkCrc;

  @Override
  int run(RecordFiles files, ReadingProgress progress) throws IOException {
    List<Map<String, @Nullable Object>> counted = new ArrayList<>();
    long total = 0;
    for (RecordFile file : files.files()) {
      long records = count(file, progress);
      total += records;
      if (json()) {
        counted.add(
            counts(Json.object().with("file", file.path()), records, file.length()).fields());
      } else {
        progress.clear();
        out().println(text(records, file.length(), file.path()));
        out().flush();
      }
    }
    if (json()) {
      out().println(counts(Json.object().with("files", counted), total, files.bytes()));
    } else {
      String all = Sizes.counted(files.files().size(), "file");
      out().println(text(total, files.bytes(), "in " + all));
    }
    return 0;
  }

  private long count(RecordFile file, ReadingProgress progress) throws IOException {
    ReadOptions options = ReadOptions.of(file.compression()).withCheckCrc(checkCrc);
    long records = 0;
    try (RecordReader reader = open(file, options)) {
      while (reader.next()) {
        records++;
        progress.at(file, reader.position());
      }
    } catch (IOException e) {
      throw unreadable(file.path(), e);
    }
    progress.done(file);
    return records;
  }

  private static String text(long records, long bytes, String what) {
    return String.format(Locale.ROOT, "%,12d records %10s  %s", records, Sizes.text(bytes), what);
  }

  private static Json counts(Json object, long records, long bytes) {
    return object.with("records", records).with("bytes", bytes);
  }
}
