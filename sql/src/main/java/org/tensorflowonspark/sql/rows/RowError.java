/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.tensorflowonspark.base.ErrorCode;

/** Failures between records and rows. */
public enum RowError implements ErrorCode {
  UNSUPPORTED_TYPE(1, "a column of a type that no feature can hold"),
  MISSING_FEATURE(2, "a record lacks the feature of a column that is not nullable"),
  WRONG_KIND(3, "a feature holds another kind of values than its column"),
  WRONG_COUNT(4, "a feature of several values in a column for one"),
  OUT_OF_RANGE(5, "a value does not fit the type of its column"),
  NULL_VALUE(6, "a null where a record has no place for one"),
  CONFLICTING_KINDS(7, "records hold different kinds of values in one feature"),
  NOT_A_RECORD(8, "a record is no tf.train.Example or SequenceExample");

  private final int number;
  private final String meaning;

  RowError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "ROW";
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
