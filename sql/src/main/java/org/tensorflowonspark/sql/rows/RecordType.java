/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

/** What the records of a file are. */
public enum RecordType {
  EXAMPLE("Example"),
  SEQUENCE_EXAMPLE("SequenceExample"),
  BYTE_ARRAY("ByteArray");

  private final String optionValue;

  RecordType(String optionValue) {
    this.optionValue = optionValue;
  }

  /** The value of the option {@code recordType} that stands for it. */
  public String optionValue() {
    return optionValue;
  }
}
