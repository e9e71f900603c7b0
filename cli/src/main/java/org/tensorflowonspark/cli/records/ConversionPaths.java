/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cli.console.CliError;
import org.tensorflowonspark.sql.hadoop.RecordFile;
import org.tensorflowonspark.sql.hadoop.RecordFiles;

/**
 * Where a conversion reads and writes. It writes beside its output, under a name that readers pass
 * over, and the result is renamed when it is complete.
 */
final class ConversionPaths {
  private final Configuration configuration;
  private final String input;
  private final Path output;
  private final Path unfinished;

  ConversionPaths(Configuration configuration, String input, String output) {
    this.configuration = configuration;
    this.input = input;
    this.output = new Path(output);
    String name = "." + this.output.getName() + "." + UUID.randomUUID();
    Path parent = this.output.getParent();
    this.unfinished = parent == null ? new Path(name) : new Path(parent, name);
  }

  String input() {
    return input;
  }

  String output() {
    return output.toString();
  }

  /** Where to write to. */
  String unfinished() {
    return unfinished.toString();
  }

  /** By the name of the input, else by that of the first file in it. */
  @Nullable FileFormat inputFormat() throws IOException {
    FileFormat format = FileFormat.of(input);
    if (format != null) {
      return format;
    }
    List<RecordFile> files = RecordFiles.list(configuration, List.of(input)).files();
    return files.isEmpty() ? null : FileFormat.of(new Path(files.get(0).path()).getName());
  }

  /** Before any work is done. */
  void checkOutput(boolean overwrite) throws IOException {
    FileSystem fileSystem = output.getFileSystem(configuration);
    if (!overwrite && fileSystem.exists(output)) {
      throw new TfosException(
          CliError.OUTPUT_EXISTS,
          "'" + output + "' is there already",
          "Give another path, or --overwrite to replace it.");
    }
  }

  /** Puts what was written in the place of the output. */
  FileTotals publish() throws IOException {
    FileSystem fileSystem = output.getFileSystem(configuration);
    FileTotals totals = FileTotals.of(fileSystem.listStatus(unfinished));
    fileSystem.delete(output, true);
    if (!fileSystem.rename(unfinished, output)) {
      throw new IOException("Cannot rename " + unfinished + " to " + output);
    }
    return totals;
  }

  /** Removes what a failed conversion wrote. */
  void discard(Exception failure) {
    try {
      output.getFileSystem(configuration).delete(unfinished, true);
    } catch (FileNotFoundException e) {
      // Nothing was written.
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * What was written.
   *
   * @param files part files
   * @param bytes of them all
   */
  record FileTotals(int files, long bytes) {
    private static FileTotals of(FileStatus[] listed) {
      int files = 0;
      long bytes = 0;
      for (FileStatus status : listed) {
        String name = status.getPath().getName();
        if (!name.startsWith("_") && !name.startsWith(".")) {
          files++;
          bytes += status.getLen();
        }
      }
      return new FileTotals(files, bytes);
    }
  }
}
