/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cli.console.CliError;

/** Folders of exported models on the local disk. */
final class Folders {
  private Folders() {}

  static boolean isNewOrEmpty(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    } catch (IOException e) {
      return !Files.exists(folder);
    }
  }

  static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(folder)) {
      List<Path> childrenFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path path : childrenFirst) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new TfosException(
          CliError.EXPORT_EXISTS,
          "Cannot remove '" + folder + "': " + e.getMessage(),
          "Remove it, or give --export-dir another folder.",
          e);
    }
  }
}
