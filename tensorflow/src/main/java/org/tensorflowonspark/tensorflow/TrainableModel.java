/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.nio.file.Path;
import java.util.List;
import org.tensorflowonspark.base.TfosException;

/**
 * A model that learns: gradients of a batch, one optimizer step, evaluation, its variables in and
 * out, and files. One thread trains it; {@link #predict} may be asked from others at the same time.
 * Every call blocks until TensorFlow is done. Paths are local. Works alike on the driver and on
 * executors.
 *
 * <pre>{@code
 * try (TrainableModel model = TrainableModel.load(dir, ModelOptions.defaults());
 *     Batch batch = model.newBatch(128)) {
 *   // fill the batch
 *   try (Gradients g = model.gradients(batch)) {
 *     model.apply(g);
 *   }
 *   model.export(trained);
 * }
 * }</pre>
 */
public interface TrainableModel extends ServedModel {

  /**
   * Loads a trainable SavedModel, as exported from Python by {@code tensorflowonspark_export} or
   * from Java by {@link GraphModel}. The directory must stay until {@link #close} if the model is
   * to be exported.
   *
   * @throws TfosException {@link ModelError#NOT_A_SAVED_MODEL}, {@link
   *     ModelError#MISSING_SIGNATURE}, {@link ModelError#MISSING_ROW_WEIGHTS}, {@link
   *     ModelError#SIGNATURES_DISAGREE}, {@link ModelError#UNSUPPORTED_TYPE}, {@link
   *     ModelError#BAD_METADATA} before anything is loaded; {@link ModelError#LOAD_FAILED}
   */
  static TrainableModel load(Path directory, ModelOptions options) {
    return SavedModelTrainable.open(directory, options);
  }

  /** What the model takes and gives. */
  ModelSignature signature();

  /** A batch with the columns that training needs; the caller closes it. */
  default Batch newBatch(int capacity) {
    return Batch.allocate(signature().inputs(), capacity);
  }

  /**
   * Computes the gradients of the batch in training mode and moves training state such as the
   * moving averages of batch normalisation. A batch of weight zero (no rows) runs nothing and gives
   * zeros of the right shapes.
   *
   * @return gradients, loss and metrics; the caller closes it
   * @throws TfosException {@link ModelError#BATCH_MISMATCH}, {@link ModelError#RUN_FAILED}
   */
  Gradients gradients(Batch batch);

  /**
   * One optimizer step with these gradients, whatever was added to their buffers since.
   *
   * @throws TfosException {@link ModelError#RUN_FAILED}
   */
  void apply(Gradients gradients);

  /** Steps that the optimizer has done, in this process and before. */
  long iterations();

  /**
   * Loss and metrics of the batch in inference mode; nothing is changed.
   *
   * @throws TfosException {@link ModelError#MISSING_SIGNATURE} if the model has no {@code evaluate}
   *     signature, {@link ModelError#BATCH_MISMATCH}, {@link ModelError#RUN_FAILED}
   */
  Evaluation evaluate(Batch batch);

  /**
   * All variables: weights, state of layers (moving averages, seeds) and of the optimizer (slots,
   * step, learning rate). The order is the same wherever the same model is loaded.
   */
  List<TensorSpec> variableSpecs();

  /**
   * Names of the floating-point variables that training moves without a gradient, such as the
   * moving averages of batch normalisation: each node of a cluster has its own, which may be
   * averaged. Empty when the model does not say which variables are its optimizer's.
   */
  List<String> layerState();

  /** Values of all variables, in the order of {@link #variableSpecs}; the caller closes it. */
  TensorList readVariables();

  /** Values of the named variables; the caller closes it. */
  TensorList readVariables(List<String> names);

  /**
   * Assigns values: of all variables or of some, matched by name.
   *
   * @param values stays the caller's and may be closed or written to afterwards
   * @throws TfosException {@link ModelError#VARIABLES_DISAGREE} for an unknown name or another type
   *     or shape; then nothing was assigned
   */
  void writeVariables(TensorList values);

  /**
   * Writes all variables as TensorFlow's own files ({@code variables.index}, {@code
   * variables.data-*}) into a new directory, which appears complete or not at all.
   *
   * @throws TfosException {@link ModelError#TARGET_EXISTS} if it exists and is not empty, {@link
   *     ModelError#WRITE_FAILED}
   */
  void save(Path directory);

  /**
   * Reads all variables from what {@link #save} wrote, or from the variables of a SavedModel of the
   * same model.
   *
   * @throws TfosException {@link ModelError#RESTORE_FAILED}
   */
  void restore(Path directory);

  /**
   * Writes the model with its present variables as an ordinary SavedModel, which Python, TensorFlow
   * Serving and {@link #load} read. It appears complete or not at all.
   *
   * @param replace whether an existing directory is replaced; its old content stays until the new
   *     one is complete
   * @throws TfosException {@link ModelError#TARGET_EXISTS}, {@link ModelError#WRITE_FAILED}
   */
  void export(Path directory, boolean replace);

  /** As {@link #export(Path, boolean)}, refusing a directory that exists and is not empty. */
  default void export(Path directory) {
    export(directory, false);
  }
}
