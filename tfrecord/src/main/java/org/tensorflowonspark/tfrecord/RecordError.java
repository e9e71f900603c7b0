/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import org.tensorflowonspark.base.ErrorCode;

/** Failures of TFRecord files and of the Examples in them. */
public enum RecordError implements ErrorCode {
  CORRUPT_LENGTH(1, "a record's length does not match its checksum"),
  CORRUPT_DATA(2, "a record's data does not match its checksum"),
  TRUNCATED(3, "a file ends inside a record"),
  RECORD_TOO_LONG(4, "a record is longer than the file or than the longest allowed"),
  CORRUPT_COMPRESSION(5, "a compressed file is damaged, cut or has something behind its end"),
  AMBIGUOUS_SPLIT(6, "the place where a file is split cannot be told for certain"),
  MALFORMED_EXAMPLE(7, "a record is not a tf.train.Example or SequenceExample"),
  RECORD_TOO_LARGE(8, "a record to be written is too large");

  private final int number;
  private final String meaning;

  RecordError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "RECORD";
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
