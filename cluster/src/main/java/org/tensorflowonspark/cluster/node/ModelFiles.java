/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.tensorflow.TrainableModel;

/**
 * Models on any file system that Hadoop knows. TensorFlow reads and writes local directories, so
 * models are copied to and from one. Blocks; any thread.
 */
final class ModelFiles {
  private final Configuration hadoop;
  private final java.nio.file.Path scratch;

  ModelFiles(Configuration hadoop, java.nio.file.Path scratch) {
    this.hadoop = hadoop;
    this.scratch = scratch;
  }

  /** The path that {@code text} means, fully qualified. */
  static Path resolve(String text, String workingDirectory, Configuration hadoop) {
    Path path = new Path(text);
    if (!path.isAbsolute() && !path.isUriPathAbsolute() && path.toUri().getScheme() == null) {
      return new Path(workingDirectory, text);
    }
    URI defaultFs = FileSystem.getDefaultUri(hadoop);
    return path.toUri().getScheme() == null
        ? new Path(defaultFs.getScheme(), defaultFs.getAuthority(), path.toUri().getPath())
        : path;
  }

  /** A local directory with the content of {@code source}, which may be local already. */
  java.nio.file.Path localCopy(Path source) {
    try {
      FileSystem files = source.getFileSystem(hadoop);
      if (!files.exists(source)) {
        throw new TfosException(
            ClusterError.NO_MODEL,
            "There is no model at " + source,
            "Give the path of a SavedModel directory that every executor can read.");
      }
      java.nio.file.Path target = scratch.resolve("model-" + UUID.randomUUID());
      FileUtil.copy(
          files,
          source,
          FileSystem.getLocal(hadoop).getRaw(),
          new Path(target.toUri()),
          false,
          hadoop);
      return target;
    } catch (IOException e) {
      throw new UncheckedIOException("Reading the model at " + source, e);
    }
  }

  /** Fails when {@code target} is in use and may not be replaced. */
  void checkTarget(Path target, boolean overwrite) {
    try {
      FileSystem files = target.getFileSystem(hadoop);
      if (!overwrite && files.exists(target) && files.listStatus(target).length > 0) {
        throw new TfosException(
            ClusterError.TARGET_EXISTS,
            "The model cannot be exported: " + target + " exists and is not empty",
            "Name another directory, or allow to overwrite it.");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Looking at " + target, e);
    }
  }

  /** Writes {@code model} beside {@code target} and renames it into place. */
  void export(TrainableModel model, Path target, boolean overwrite) {
    checkTarget(target, overwrite);
    java.nio.file.Path local = scratch.resolve("export-" + UUID.randomUUID());
    model.export(local);
    String mark = "." + target.getName() + "-" + UUID.randomUUID();
    Path fresh = new Path(target.getParent(), mark + ".new");
    try {
      FileSystem files = target.getFileSystem(hadoop);
      try {
        files.mkdirs(target.getParent());
        FileSystem here = FileSystem.getLocal(hadoop).getRaw();
        FileUtil.copy(here, new Path(local.toUri()), files, fresh, true, true, hadoop);
        publish(files, fresh, target, new Path(target.getParent(), mark + ".old"));
      } catch (IOException e) {
        files.delete(fresh, true);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Exporting the model to " + target, e);
    }
  }

  private static void publish(FileSystem files, Path fresh, Path target, Path old)
      throws IOException {
    boolean replaces = files.exists(target);
    // Some file systems would move the new directory into an old one that is still there.
    if (replaces && !files.rename(target, old)) {
      throw new IOException("Cannot rename " + target + " to " + old);
    }
    if (!files.rename(fresh, target)) {
      if (replaces) {
        files.rename(old, target);
      }
      throw new IOException("Cannot rename " + fresh + " to " + target);
    }
    if (replaces) {
      files.delete(old, true);
    }
  }
}
