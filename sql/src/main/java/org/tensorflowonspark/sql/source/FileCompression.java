/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.tfrecord.Compression;

/** Values of the option {@code compression}. */
enum FileCompression {
  AUTO(null),
  NONE(Compression.NONE),
  GZIP(Compression.GZIP),
  ZLIB(Compression.ZLIB);

  private final @Nullable Compression told;

  FileCompression(@Nullable Compression told) {
    this.told = told;
  }

  /** The compression, or null when it is to be found out. */
  @Nullable Compression told() {
    return told;
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
