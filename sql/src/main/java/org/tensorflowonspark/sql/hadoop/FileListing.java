/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/** Gathers the files of some paths. */
final class FileListing {
  private final Configuration configuration;
  private final TreeMap<String, RecordFile> files = new TreeMap<>();

  FileListing(Configuration configuration) {
    this.configuration = configuration;
  }

  /** The files in order of their paths. */
  List<RecordFile> files() {
    return List.copyOf(files.values());
  }

  /** Adds what is at a path or matches it as a pattern. */
  void add(String text) throws IOException {
    if (text.isBlank()) {
      throw nothingAt("''", "");
    }
    Path path = new Path(text);
    FileSystem fileSystem = path.getFileSystem(configuration);
    Path full = fileSystem.makeQualified(path);
    FileStatus[] matches = isPattern(text) ? fileSystem.globStatus(full) : null;
    if (matches != null && matches.length > 0) {
      for (FileStatus match : matches) {
        // What a wildcard finds is hidden as in a directory; a name that was written out is not.
        if (!isHidden(match.getPath().getName()) || isHidden(full.getName())) {
          add(fileSystem, match);
        }
      }
      return;
    }
    FileStatus status = statusOrNull(fileSystem, full);
    if (status == null) {
      throw nothingAt("'" + text + "'", " (" + full + ")");
    }
    add(fileSystem, status);
  }

  private void add(FileSystem fileSystem, FileStatus status) throws IOException {
    Path path = status.getPath();
    if (!status.isDirectory()) {
      addFile(fileSystem, status);
      return;
    }
    RemoteIterator<FileStatus> children = fileSystem.listStatusIterator(path);
    while (children.hasNext()) {
      FileStatus child = children.next();
      if (!isHidden(child.getPath().getName())) {
        add(fileSystem, child);
      }
    }
  }

  private void addFile(FileSystem fileSystem, FileStatus status) throws IOException {
    Path path = fileSystem.makeQualified(status.getPath());
    // Longer ones are asked when they are opened; an empty one never is.
    if (status.getLen() == 0
        && fileSystem instanceof LeaseRecoverable leases
        && !leases.isFileClosed(path)) {
      throw HadoopSource.stillWritten(path.toString());
    }
    files.put(
        path.toString(),
        new RecordFile(
            path.toString(),
            status.getLen(),
            status.getModificationTime(),
            RecordFile.compressionOf(path.toString())));
  }

  /** As Spark: {@code _SUCCESS}, {@code .crc}, copies under way; but not {@code _column=value}. */
  static boolean isHidden(String name) {
    return name.startsWith(".")
        || (name.startsWith("_") && name.indexOf('=') < 0)
        || name.endsWith("._COPYING_");
  }

  private static boolean isPattern(String text) {
    return text.chars().anyMatch(c -> "{}[]*?\\".indexOf(c) >= 0);
  }

  private static @Nullable FileStatus statusOrNull(FileSystem fileSystem, Path path)
      throws IOException {
    try {
      return fileSystem.getFileStatus(path);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  private static TfosException nothingAt(String text, String full) {
    return new TfosException(
        FileError.NOT_FOUND,
        "There is nothing at " + text + full,
        "Check the path, and fs.defaultFS when it has no scheme.");
  }
}
