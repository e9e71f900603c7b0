/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/** Writes a directory beside its place and moves it there: whole, or absent. */
final class NewDirectory {
  private NewDirectory() {}

  /** Fills the directory that it is given. */
  @FunctionalInterface
  interface Writer {
    void writeTo(Path directory) throws IOException;
  }

  static void write(Path target, boolean replace, Writer writer) {
    Path place = target.toAbsolutePath().normalize();
    Path fresh = sibling(place, "tmp");
    try {
      if (!replace && !isFree(place)) {
        throw new TfosException(
            ModelError.TARGET_EXISTS,
            place + " exists and is not an empty directory",
            "Choose another, or ask for it to be replaced.");
      }
      Files.createDirectories(fresh);
      writer.writeTo(fresh);
      moveInto(fresh, place);
    } catch (IOException e) {
      throw new TfosException(
          ModelError.WRITE_FAILED,
          place + " cannot be written: " + e,
          "See that its parent can be written and has room; nothing is left of the attempt.",
          e);
    } finally {
      deleteTree(fresh);
    }
  }

  private static Path sibling(Path place, String kind) {
    return place.resolveSibling("." + place.getFileName() + "." + UUID.randomUUID() + "." + kind);
  }

  private static boolean isFree(Path place) throws IOException {
    if (!Files.exists(place)) {
      return true;
    }
    if (!Files.isDirectory(place)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(place)) {
      return entries.findAny().isEmpty();
    }
  }

  private static void moveInto(Path fresh, Path place) throws IOException {
    if (isFree(place)) {
      // Renaming a directory onto an empty one replaces it in one step.
      Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
      return;
    }
    Path old = sibling(place, "old");
    Files.move(place, old, StandardCopyOption.ATOMIC_MOVE);
    try {
      Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.move(old, place, StandardCopyOption.ATOMIC_MOVE);
      throw e;
    }
    deleteTree(old);
  }

  /** Deletes what is there; a file that cannot be deleted is an error, a missing one is not. */
  static void deleteTree(Path root) {
    if (!Files.exists(root)) {
      return;
    }
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure)
                throws IOException {
              if (failure != null) {
                throw failure;
              }
              Files.delete(dir);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new TfosException(
          ModelError.WRITE_FAILED, root + " cannot be deleted: " + e, "Delete it by hand.", e);
    }
  }
}
