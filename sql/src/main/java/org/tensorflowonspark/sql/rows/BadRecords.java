/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.MalformedExampleException;

/** Makes the errors of decoding; apart from it, so that the code that runs stays small. */
final class BadRecords {
  private BadRecords() {}

  static BadRecordException malformed(RecordType type, MalformedExampleException cause) {
    return new BadRecordException(
        RowError.NOT_A_RECORD,
        "the record is no " + type.optionValue() + ": " + cause.getMessage(),
        "Check the option recordType, and what wrote the file.",
        cause);
  }

  static BadRecordException missing(Column column) {
    return new BadRecordException(
        RowError.MISSING_FEATURE,
        "feature '" + column.name() + "' is missing, and its column is not nullable",
        "Check its name, or allow nulls: declare the column nullable, or leave it out of the option"
            + " requiredFeatures; in a feed give the tensor a value for nulls.",
        null);
  }

  static BadRecordException empty(Column column) {
    return new BadRecordException(
        RowError.WRONG_COUNT,
        "feature '"
            + column.name()
            + "' holds no value, and its column of type "
            + column.type().simpleString()
            + " is not nullable",
        "Declare the column as an array, or allow nulls: declare it nullable, or leave it out of the"
            + " option requiredFeatures.",
        null);
  }

  static BadRecordException several(Column column, int count) {
    return new BadRecordException(
        RowError.WRONG_COUNT,
        "feature '"
            + column.name()
            + "' holds "
            + count
            + " values, and its column of type "
            + column.type().simpleString()
            + " takes one",
        "Declare the column as an array.",
        null);
  }

  static BadRecordException wrongKind(Column column, FeatureKind kind) {
    return new BadRecordException(
        RowError.WRONG_KIND,
        "feature '"
            + column.name()
            + "' holds "
            + kind
            + " values, and its column is of type "
            + column.type().simpleString(),
        "Declare the column as " + typesOf(kind) + ", or an array of it; a cast can follow.",
        null);
  }

  private static String typesOf(FeatureKind kind) {
    return switch (kind) {
      case INT64 -> "bigint";
      case FLOAT -> "float";
      default -> "string or binary";
    };
  }

  static BadRecordException listInstead(Column column) {
    return new BadRecordException(
        RowError.WRONG_KIND,
        "'"
            + column.name()
            + "' is a feature list, and its column is of type "
            + column.type().simpleString(),
        "Declare the column as an array of arrays.",
        null);
  }

  static BadRecordException featureInstead(Column column) {
    return new BadRecordException(
        RowError.WRONG_KIND,
        "'"
            + column.name()
            + "' is a feature of the context, and its column is of type "
            + column.type().simpleString(),
        "Declare the column as an array or a single value.",
        null);
  }

  static BadRecordException outOfRange(Column column, String value) {
    return new BadRecordException(
        RowError.OUT_OF_RANGE,
        "feature '"
            + column.name()
            + "' holds "
            + value
            + ", which does not fit its column of type "
            + column.type().simpleString(),
        "Declare the column with a wider type.",
        null);
  }

  static BadRecordException noNumber(Column column, String text) {
    return new BadRecordException(
        RowError.WRONG_KIND,
        "feature '"
            + column.name()
            + "' holds "
            + text
            + ", which is no number, and its column is of type "
            + column.type().simpleString(),
        "Declare the column as string or binary.",
        null);
  }

  static BadRecordException tooLong(long bytes) {
    return new BadRecordException(
        RowError.OUT_OF_RANGE,
        "the record makes a row of " + bytes + " bytes, more than an array can be",
        "Select fewer columns.",
        null);
  }
}
