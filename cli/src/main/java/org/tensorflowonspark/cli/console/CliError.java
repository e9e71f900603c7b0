/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.console;

import org.tensorflowonspark.base.ErrorCode;

/** Failures that the command line reports by itself. */
public enum CliError implements ErrorCode {
  DATA_MISSING(1, "a file of the data set is not there or cannot be read"),
  DATA_CORRUPT(2, "a file of the data set is damaged or of another kind"),
  EXPORT_EXISTS(3, "the folder for the exported model is not empty"),
  MODEL_MISSING(4, "the model to train is not there"),
  NOT_AVAILABLE(5, "the command needs a part that this build does not have"),
  UNEXPECTED(6, "a failure that nobody foresaw; the log has its stack trace"),
  OUTPUT_EXISTS(7, "there is something where a conversion is to write"),
  UNFIT_FORMAT(8, "a file format cannot hold what is to be converted"),
  NOT_CONVERTED(9, "Spark could not convert the files");

  private final int number;
  private final String meaning;

  CliError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "CLI";
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
