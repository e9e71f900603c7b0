/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.util.Locale;

/** How a whole TFRecord file is compressed: what TensorFlow itself reads. */
public enum Compression {
  NONE(""),
  GZIP(".gz"),
  ZLIB(".zlib");

  private final String extension;

  Compression(String extension) {
    this.extension = extension;
  }

  /** End of the name of a file so compressed, such as {@code .gz}; empty for none. */
  public String extension() {
    return extension;
  }

  /** What the end of a file's name says; {@code .deflate} is Hadoop's name for zlib. */
  public static Compression ofFileName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".gz") || lower.endsWith(".gzip")) {
      return GZIP;
    }
    return lower.endsWith(".zlib") || lower.endsWith(".deflate") ? ZLIB : NONE;
  }
}
