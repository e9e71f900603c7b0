/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.util.Locale;
import org.tensorflowonspark.base.TfosException;

/** Hadoop's names of codecs. */
final class Codecs {
  private static final String PACKAGE = "org.apache.hadoop.io.compress.";

  private Codecs() {}

  /** What is meant by the options {@code codec} and {@code compression} together. */
  static FileCompression compressionOf(String codec, FileCompression compression) {
    if (codec.isEmpty()) {
      return compression;
    }
    FileCompression meant = compressionOf(codec);
    if (compression != FileCompression.AUTO && compression != meant) {
      throw new TfosException(
          SourceError.CODEC_CONFLICT,
          "Option codec is '" + codec + "' and option compression is '" + compression.text() + "'",
          "Give one of them.");
    }
    return meant;
  }

  private static FileCompression compressionOf(String codec) {
    String name = codec.startsWith(PACKAGE) ? codec.substring(PACKAGE.length()) : codec;
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "gzipcodec", "gzip" -> FileCompression.GZIP;
      case "defaultcodec", "deflatecodec", "deflate", "zlib" -> FileCompression.ZLIB;
      case "none", "uncompressed" -> FileCompression.NONE;
      default ->
          throw new TfosException(
              SourceError.FOREIGN_CODEC,
              "Option codec is '" + codec + "', which TensorFlow cannot read",
              "Give it " + PACKAGE + "GzipCodec or " + PACKAGE + "DefaultCodec.");
    };
  }
}
