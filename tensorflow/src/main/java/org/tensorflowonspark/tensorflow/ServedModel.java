/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.nio.file.Path;
import java.util.List;
import org.tensorflowonspark.base.TfosException;

/**
 * A model that predicts. Several threads may ask at once, each with a batch of its own; a call
 * blocks until TensorFlow is done.
 */
public interface ServedModel extends AutoCloseable {
  /** The signature that SavedModels are served by. */
  String DEFAULT_SIGNATURE = "serving_default";

  /**
   * Loads any SavedModel for prediction, with the signature {@code serving_default}.
   *
   * @param directory a local SavedModel
   * @throws TfosException {@link ModelError#NOT_A_SAVED_MODEL}, {@link
   *     ModelError#MISSING_SIGNATURE} or {@link ModelError#LOAD_FAILED}
   */
  static ServedModel load(Path directory, ModelOptions options) {
    return load(directory, DEFAULT_SIGNATURE, options);
  }

  /** As {@link #load(Path, ModelOptions)}, with a signature of choice. */
  static ServedModel load(Path directory, String signature, ModelOptions options) {
    return SavedModelServed.open(directory, signature, options);
  }

  /** The columns that a batch for {@link #predict} must have. */
  List<TensorSpec> servedInputs();

  /** What {@link #predict} gives. */
  List<TensorSpec> servedOutputs();

  /**
   * Predicts, one output row for each row of the batch, in order. Columns that the signature does
   * not take (labels, row weights) are left alone.
   *
   * @return outputs by name; the caller closes it
   * @throws TfosException {@link ModelError#BATCH_MISMATCH} for a missing or mistyped column,
   *     {@link ModelError#MISSING_SIGNATURE} if the model cannot predict, {@link
   *     ModelError#RUN_FAILED} if TensorFlow fails
   */
  TensorList predict(Batch batch);

  /** Frees the model after waiting for calls in progress. A second call does nothing. */
  @Override
  void close();
}
