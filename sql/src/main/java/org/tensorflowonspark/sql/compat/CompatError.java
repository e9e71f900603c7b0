/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.compat;

import org.tensorflowonspark.base.ErrorCode;

/** Failures of the doors for those who move over. */
public enum CompatError implements ErrorCode {
  MALFORMED_TYPE(1, "a text that describes no type"),
  UNKNOWN_FEATURE(2, "a binary feature that is in no record");

  private final int number;
  private final String meaning;

  CompatError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "COMPAT";
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
