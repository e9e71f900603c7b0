/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import org.tensorflowonspark.base.ErrorCode;

/** Failures of files and of their listing. */
public enum FileError implements ErrorCode {
  NOT_FOUND(1, "a path at which nothing is, or a file that vanished after it was listed"),
  CHANGED(2, "a file is not the one that was listed: its length or its time differs"),
  COMPRESSED_SPLIT(3, "a part of a compressed file, which can only be read whole"),
  STILL_WRITTEN(4, "a file that its writer has not closed"),
  FOREIGN_COMPRESSION(5, "a compression that TensorFlow cannot read");

  private final int number;
  private final String meaning;

  FileError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "FILE";
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
