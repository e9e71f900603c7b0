/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for the files of a race, in memory where there is room: no race is one of disks. */
final class RecordFolder implements AutoCloseable {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ROOM = 6L << 30;

  private final Path path;
  private final Thread atExit = new Thread(this::removeAtExit, "record-folder-end");

  private RecordFolder(Path path) {
    this.path = path;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  static RecordFolder create() throws IOException {
    boolean memory = Files.isWritable(MEMORY) && MEMORY.toFile().getUsableSpace() > ROOM;
    Path parent = memory ? MEMORY : Settings.file("benchmarks/target");
    Files.createDirectories(parent);
    return new RecordFolder(Files.createTempDirectory(parent, "tfos-bench-"));
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /** Where it is, for a note. */
  String where() {
    return path.startsWith(MEMORY) ? "in memory (tmpfs)" : "in the page cache";
  }

  @Override
  public void close() throws IOException {
    Runtime.getRuntime().removeShutdownHook(atExit);
    remove();
  }

  private void removeAtExit() {
    try {
      remove();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void remove() throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(path)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.deleteIfExists(file);
    }
  }
}
