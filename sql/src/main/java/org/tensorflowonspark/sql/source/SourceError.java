/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import org.tensorflowonspark.base.ErrorCode;

/** Failures of the data source. */
public enum SourceError implements ErrorCode {
  FOREIGN_CODEC(1, "a codec to write with that TensorFlow cannot read"),
  CODEC_CONFLICT(2, "the options codec and compression contradict each other"),
  CORRUPT_COLUMN(3, "the column of corrupt records is neither string nor binary"),
  AMBIGUOUS_NAMES(4, "features whose names differ in case only"),
  ROW_NOT_WRITTEN(5, "a row cannot be written as a record"),
  UNKNOWN_COLUMN(6, "a required feature is no column of the schema");

  private final int number;
  private final String meaning;

  SourceError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "SOURCE";
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
