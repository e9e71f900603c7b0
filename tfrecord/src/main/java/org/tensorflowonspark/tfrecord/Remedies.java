/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

/** What a user can do about damage. */
final class Remedies {
  private static final String GENERAL =
      "Write the file anew, or have damage passed over and counted.";

  private Remedies() {}

  static String of(Damage damage, ReadOptions options) {
    return switch (damage.error()) {
      case AMBIGUOUS_SPLIT ->
          "Read the file whole (option splittable=false): its records seem to hold records.";
      case RECORD_TOO_LONG ->
          "Raise maxRecordLength if records are meant to be so long. Otherwise: " + GENERAL;
      case CORRUPT_LENGTH, CORRUPT_COMPRESSION ->
          damage.offset() == 0
              ? "See that this is a TFRecord file and that its compression is "
                  + options.compression()
                  + ". If so: "
                  + GENERAL
              : GENERAL;
      default -> GENERAL;
    };
  }
}
