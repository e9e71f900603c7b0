/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.base;

/** Failures of reading options. */
public enum OptionError implements ErrorCode {
  UNKNOWN_OPTION(1, "an option with a name that is not in the table"),
  INVALID_VALUE(2, "an option whose value cannot be read as its type or is out of range");

  private final int number;
  private final String meaning;

  OptionError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "OPTION";
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
