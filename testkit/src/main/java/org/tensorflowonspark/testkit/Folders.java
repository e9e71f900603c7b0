/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflowonspark.base.TfosException;

/** Folders that belong to one cluster, and those that killed drivers left behind. */
final class Folders {
  private static final Logger LOG = LoggerFactory.getLogger(Folders.class);
  private static final String PREFIX = "tfos-cluster-";
  private static final String OWNER_FILE = "tfos-driver.pid";

  private static final AtomicInteger COUNT = new AtomicInteger();

  private Folders() {}

  /**
   * A new folder whose name carries the pid of this process, for {@link #sweep}. The name is short,
   * since the path of a Unix socket below it may have about 100 letters.
   */
  static Path createTemp() {
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    FileAttribute<?> ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    try {
      Files.createDirectories(parent);
      while (true) {
        Path folder =
            parent.resolve(PREFIX + ProcessHandle.current().pid() + "-" + COUNT.getAndIncrement());
        try {
          return Files.createDirectory(folder, ownerOnly);
        } catch (FileAlreadyExistsException e) {
          LOG.debug("{} was left by an earlier process with this pid", folder, e);
        }
      }
    } catch (IOException e) {
      throw failed("make a folder in", parent, e);
    }
  }

  /** Marks a folder that Spark named as belonging to this process. */
  static void own(Path folder) {
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(OWNER_FILE), Long.toString(ProcessHandle.current().pid()));
    } catch (IOException e) {
      throw failed("mark", folder, e);
    }
  }

  /** Removes what drivers that no longer live have left in the two places. */
  static void sweep(Path workDir) {
    for (Path folder : list(Path.of(System.getProperty("java.io.tmpdir")))) {
      String name = folder.getFileName().toString();
      if (name.startsWith(PREFIX)) {
        deleteIfDead(folder, name.substring(PREFIX.length()).split("-", 2)[0]);
      }
    }
    for (Path folder : list(workDir)) {
      owner(folder).ifPresent(pid -> deleteIfDead(folder, pid));
    }
  }

  private static Optional<String> owner(Path folder) {
    try {
      return Optional.of(Files.readString(folder.resolve(OWNER_FILE)).trim());
    } catch (IOException e) {
      return Optional.empty(); // not one of ours
    }
  }

  private static void deleteIfDead(Path folder, String pid) {
    try {
      if (pid.matches("[0-9]{1,18}") && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
        delete(folder);
      }
    } catch (IOException e) {
      LOG.debug("Somebody else removes or uses {}", folder, e);
    }
  }

  private static List<Path> list(Path parent) {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.filter(Files::isDirectory).toList();
    } catch (IOException e) {
      return new ArrayList<>();
    }
  }

  /** Removes a tree; files that vanish meanwhile are fine, since workers clean up as well. */
  static void delete(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
              throws IOException {
            if (e != null && !(e instanceof NoSuchFileException)) {
              throw e;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  static TfosException failed(String verb, Path path, @Nullable Exception e) {
    return new TfosException(
        TestkitError.FILES,
        "Cannot " + verb + " '" + path + "': " + (e == null ? "unknown" : e.getMessage()),
        "Check that the place exists, is writable and has room.",
        e);
  }
}
