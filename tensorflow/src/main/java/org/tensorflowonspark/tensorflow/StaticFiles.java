/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.tensorflowonspark.base.TfosException;

/** The files of a small SavedModel besides its variables, kept where the directory is not. */
final class StaticFiles {
  private StaticFiles() {}

  static NewDirectory.Writer inMemory(Path directory) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    try {
      for (String name : new String[] {SavedModelFiles.GRAPH, Metadata.FILE.toString()}) {
        files.put(name, Files.readAllBytes(directory.resolve(name)));
      }
    } catch (IOException e) {
      throw new TfosException(
          ModelError.LOAD_FAILED,
          directory + " cannot be read back: " + e,
          "See that the temporary directory is left alone while a model is built.",
          e);
    }
    return to -> {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Path path = to.resolve(file.getKey());
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.write(path, file.getValue());
      }
    };
  }
}
