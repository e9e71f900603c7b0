/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A file format that can be converted, and by which ends of names it is known. */
enum FileFormat {
  TFRECORD,
  CSV,
  JSON,
  PARQUET;

  private static final List<String> COMPRESSED = List.of(".gz", ".gzip", ".zlib", ".deflate");

  /** Spark's name of it. */
  String spark() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return spark(); // what users see and type
  }

  /** By the end of a name such as {@code part-0.csv.gz}; null when that says nothing. */
  static @Nullable FileFormat of(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("/+$", "");
    for (String compressed : COMPRESSED) {
      if (plain.endsWith(compressed)) {
        plain = plain.substring(0, plain.length() - compressed.length());
        break;
      }
    }
    return switch (plain.substring(plain.lastIndexOf('.') + 1)) {
      case "tfrecord", "tfrecords" -> TFRECORD;
      case "csv" -> CSV;
      case "json", "jsonl", "ndjson" -> JSON;
      case "parquet" -> PARQUET;
      default -> null;
    };
  }
}
