/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.tensorflowonspark.base.ErrorCode;

/** Failures of turning columns into tensors and back. */
public enum ColumnError implements ErrorCode {
  UNKNOWN_COLUMN(1, "a mapped column that the data does not have"),
  UNSUPPORTED_TYPE(2, "a column whose type cannot become the tensor's type"),
  LOSSY_TYPE(3, "a column whose values would lose their fraction in the tensor's type"),
  RANK_MISMATCH(4, "a column nested to another depth than the tensor's rank"),
  RAGGED_WITHOUT_PADDING(5, "a tensor of unknown row shape without a padding value"),
  INVALID_TARGET(6, "a mapping that contradicts itself"),
  NULL_VALUE(7, "a null, outside or inside an array, without a replacement"),
  WRONG_LENGTH(8, "an array of another length than the tensor's shape"),
  INEXACT_VALUE(9, "a value that the tensor's type cannot hold exactly"),
  OUT_OF_RANGE(10, "a value outside the range of the tensor's type"),
  ROW_TOO_LARGE(11, "rows that do not fit into one chunk"),
  CORRUPT_CHUNK(12, "bytes that are not a whole chunk of columns"),
  PLAN_MISMATCH(13, "a chunk made by another plan than the one that reads it"),
  CORRUPT_VALUE(14, "a value of the data that contradicts itself, such as a sparse vector"),
  INVALID_ANSWER(15, "an output tensor that cannot become rows");

  private final int number;
  private final String meaning;

  ColumnError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "COLUMN";
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
