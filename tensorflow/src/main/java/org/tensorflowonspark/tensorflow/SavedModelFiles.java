/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.SavedModel;
import org.tensorflowonspark.base.TfosException;

/** A SavedModel as files. */
final class SavedModelFiles {
  static final String GRAPH = "saved_model.pb";
  static final Path VARIABLES = Path.of("variables");
  static final String PREFIX = "variables";

  /** Holds a checksum of the variables too, so it is wrong beside new ones; readers do without. */
  private static final String FINGERPRINT = "fingerprint.pb";

  private SavedModelFiles() {}

  /** The graph with the wanted tags. */
  static MetaGraphDef read(Path directory, List<String> tags) {
    Path file = directory.resolve(GRAPH);
    if (!Files.isRegularFile(file)) {
      throw new TfosException(
          ModelError.NOT_A_SAVED_MODEL,
          directory + " holds no " + GRAPH + " (" + present(directory) + ")",
          "Name the directory that model.export(..) or tensorflowonspark_export wrote; a .keras or"
              + " .h5 file must be exported first.");
    }
    SavedModel model;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      model = SavedModel.parseFrom(in);
    } catch (IOException e) {
      throw new TfosException(
          ModelError.NOT_A_SAVED_MODEL,
          file + " cannot be read: " + e.getMessage(),
          "Copy or export the model again.",
          e);
    }
    for (MetaGraphDef graph : model.getMetaGraphsList()) {
      if (new HashSet<>(graph.getMetaInfoDef().getTagsList()).equals(new HashSet<>(tags))) {
        return graph;
      }
    }
    throw new TfosException(
        ModelError.NOT_A_SAVED_MODEL,
        directory + " has no graph with the tags " + tags,
        "It has "
            + model.getMetaGraphsList().stream().map(g -> g.getMetaInfoDef().getTagsList()).toList()
            + ": choose one with ModelOptions.withTags.");
  }

  private static String present(Path directory) {
    if (!Files.isDirectory(directory)) {
      return Files.exists(directory) ? "it is a file" : "it does not exist";
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return "it holds " + entries.map(p -> p.getFileName().toString()).sorted().limit(10).toList();
    } catch (IOException e) {
      return "it cannot be listed: " + e.getMessage();
    }
  }

  /** Copies graph, assets and whatever lies beside them, but not the variables. */
  static void copyAllButVariables(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
              throws IOException {
            if (from.relativize(dir).equals(VARIABLES)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(from.relativize(dir).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path name = from.relativize(file);
            if (!name.toString().equals(FINGERPRINT)) {
              Files.copy(file, to.resolve(name.toString()));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
