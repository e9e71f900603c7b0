/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.SaverDef;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.shim.NativeCheckpoint;
import org.tensorflowonspark.tensorflow.shim.NativeException;
import org.tensorflowonspark.tensorflow.shim.NativeModel;
import org.tensorflowonspark.tensorflow.shim.NativeStrings;
import org.tensorflowonspark.tensorflow.shim.NativeTensor;
import org.tensorflowonspark.tensorflow.shim.RunPlan;

/** TensorFlow's own files of variables, by the operations that every SavedModel has for them. */
final class Checkpoints {
  private static final String INDEX = SavedModelFiles.PREFIX + ".index";

  private final RunPlan save;
  private final RunPlan restore;

  /** Type and shape of each variable by its key in the files. */
  private final Map<String, String> expected;

  Checkpoints(NativeModel model, SaverDef saver, Path directory) {
    if (saver.getSaveTensorName().isEmpty()) {
      throw new TfosException(
          ModelError.LOAD_FAILED,
          directory + " has no operations to save variables",
          Contract.EXPORTER);
    }
    this.expected = contents(directory.resolve(SavedModelFiles.VARIABLES));
    // Describes the Python objects; models are restored by keys alone.
    expected.remove("_CHECKPOINTABLE_OBJECT_GRAPH");
    List<String> filename = List.of(saver.getFilenameTensorName());
    this.save = model.plan(filename, List.of(), List.of(saver.getSaveTensorName()));
    this.restore = model.plan(filename, List.of(), List.of(saver.getRestoreOpName()));
  }

  /** Writes {@code variables.index} and its data into an existing directory. */
  void saveInto(Path directory) throws IOException {
    try {
      run(save, directory);
    } catch (NativeException e) {
      throw new IOException("TensorFlow failed to save: " + e.getMessage(), e);
    }
    if (!Files.exists(directory.resolve(INDEX))) {
      throw new IOException("TensorFlow wrote no " + INDEX);
    }
  }

  void restoreFrom(Path directory) {
    Path found =
        Files.exists(directory.resolve(INDEX))
            ? directory
            : directory.resolve(SavedModelFiles.VARIABLES);
    if (!Files.exists(found.resolve(INDEX))) {
      throw new TfosException(
          ModelError.RESTORE_FAILED,
          directory + " holds no " + INDEX + ", nor does variables/ in it",
          "Name a directory that save or export wrote.");
    }
    try {
      check(found);
      run(restore, found);
    } catch (NativeException e) {
      throw new TfosException(
          ModelError.RESTORE_FAILED,
          "Variables cannot be restored from " + found + ": " + e.getMessage(),
          "Name one that was saved from the same model, and see that its files are whole. The"
              + " model may hold some of its values now: restore another or load it again.",
          e);
    }
  }

  /** TensorFlow itself would assign a value of another shape without a word. */
  private void check(Path directory) {
    Map<String, String> found = contents(directory);
    expected.forEach(
        (key, form) -> {
          if (!form.equals(found.get(key))) {
            throw new TfosException(
                ModelError.RESTORE_FAILED,
                directory
                    + " holds "
                    + found.getOrDefault(key, "nothing")
                    + " for "
                    + key
                    + " where the model has "
                    + form,
                "Name one that was saved from the same model.");
          }
        });
  }

  private static Map<String, String> contents(Path directory) {
    Path prefix = directory.toAbsolutePath().resolve(SavedModelFiles.PREFIX);
    return NativeCheckpoint.contents(prefix.toString());
  }

  private static void run(RunPlan plan, Path directory) {
    Path prefix = directory.toAbsolutePath().resolve(SavedModelFiles.PREFIX);
    byte[] name = prefix.toString().getBytes(StandardCharsets.UTF_8);
    try (NativeTensor filename = NativeStrings.scalar(name)) {
      plan.run(filename);
    }
  }
}
