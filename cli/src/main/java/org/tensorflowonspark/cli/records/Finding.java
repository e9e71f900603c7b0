/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.ErrorCode;
import org.tensorflowonspark.cli.console.CliError;
import org.tensorflowonspark.tfrecord.Damage;
import org.tensorflowonspark.tfrecord.RecordError;
import org.tensorflowonspark.tfrecord.RecordReader;

/**
 * Something wrong with a file.
 *
 * @param offset where it begins; null when the file as a whole cannot be read
 * @param length how many bytes are not readable records; null as for {@code offset}
 */
record Finding(
    String file, @Nullable Long offset, @Nullable Long length, ErrorCode error, String reason) {
  /** Length and its checksum before the data, the data's checksum behind it. */
  private static final int FRAME = 8 + 4 + 4;

  static Finding of(Damage damage) {
    return new Finding(
        damage.file(), damage.offset(), damage.length(), damage.error(), damage.reason());
  }

  /** The record that {@code reader} is at is whole, but not what it should be. */
  static Finding malformed(RecordReader reader, @Nullable String reason) {
    return new Finding(
        reader.file(),
        reader.position(),
        (long) reader.length() + FRAME,
        RecordError.MALFORMED_EXAMPLE,
        String.valueOf(reason));
  }

  static Finding unreadable(String file, Exception failure) {
    return new Finding(file, null, null, CliError.DATA_MISSING, failure.toString());
  }

  /** Bytes that are not readable records. */
  long lost() {
    return length == null ? 0 : length;
  }

  String text() {
    String where =
        offset == null
            ? file
            : String.format(Locale.ROOT, "%s at byte %d, %d bytes", file, offset, length);
    return where + ": [" + error.code() + "] " + reason;
  }

  Json json() {
    return Json.object()
        .with("file", file)
        .with("offset", offset)
        .with("length", length)
        .with("code", error.code())
        .with("reason", reason);
  }
}
