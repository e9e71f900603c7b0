/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import org.tensorflowonspark.base.ErrorCode;

/** Failures of the training loop. */
public enum TrainError implements ErrorCode {
  UNKNOWN_TENSOR(1, "the input mapping names a tensor that the model does not take"),
  NOT_FINITE(2, "the loss became infinite or not a number"),
  NO_ROWS(3, "there was not a single row to train from"),
  NO_EVALUATION(4, "validation was asked for and the model cannot be evaluated"),
  UNKNOWN_METRIC(5, "early stopping watches a figure that the model does not give"),
  NO_VALIDATION_ROWS(6, "the validation data has no rows");

  private final int number;
  private final String meaning;

  TrainError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "TRAIN";
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
