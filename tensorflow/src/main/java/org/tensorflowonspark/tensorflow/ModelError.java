/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import org.tensorflowonspark.base.ErrorCode;

/** Failures of models and of the native library. */
public enum ModelError implements ErrorCode {
  RUNTIME_UNAVAILABLE(1, "TensorFlow's native library cannot be loaded in this process"),
  NOT_A_SAVED_MODEL(2, "a directory that is no SavedModel, or has no graph with the wanted tags"),
  MISSING_SIGNATURE(3, "a SavedModel without a signature that is needed"),
  MISSING_ROW_WEIGHTS(4, "a signature that does not take the weight of each row"),
  SIGNATURES_DISAGREE(5, "signatures of one model that do not fit each other"),
  UNSUPPORTED_TYPE(6, "a data type that cannot be fed or fetched"),
  BAD_METADATA(7, "assets.extra/trainable.json that cannot be read or contradicts the graph"),
  LOAD_FAILED(8, "a SavedModel that TensorFlow cannot load"),
  RUN_FAILED(9, "TensorFlow failed while running a step"),
  BATCH_MISMATCH(10, "data whose columns, types or shapes are not what the model takes"),
  NO_GRADIENT(11, "an operation that cannot be differentiated in Java"),
  TARGET_EXISTS(12, "a directory to be written that exists and is not empty"),
  WRITE_FAILED(13, "a model or its variables cannot be written"),
  RESTORE_FAILED(14, "variables cannot be read into a model"),
  VARIABLES_DISAGREE(15, "values for variables that the model does not have in that form"),
  BAD_GRAPH(16, "a graph built in Java that lacks something or contradicts itself"),
  TOO_LARGE(17, "a tensor larger than can be addressed");

  private final int number;
  private final String meaning;

  ModelError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "MODEL";
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public String meaning() {
    return meaning;
  }
}
