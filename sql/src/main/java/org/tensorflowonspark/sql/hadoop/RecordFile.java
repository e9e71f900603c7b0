/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.io.Serializable;
import java.util.Locale;
import java.util.Set;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.Compression;

/**
 * A TFRecord file as it was listed.
 *
 * @param path full path with scheme
 * @param length bytes
 * @param modificationTime when it was written last, in milliseconds
 * @param compression how it is compressed, by the end of its name
 */
public record RecordFile(String path, long length, long modificationTime, Compression compression)
    implements Serializable {

  private static final Set<String> FOREIGN_ENDS =
      Set.of(".bz2", ".lz4", ".lzo", ".snappy", ".zst", ".br", ".xz");

  /**
   * How the file of this name is compressed, told by the end of the name.
   *
   * @throws TfosException for the end of a codec that TensorFlow cannot read
   */
  public static Compression compressionOf(String name) {
    int dot = name.lastIndexOf('.');
    String end = dot < 0 ? "" : name.substring(dot).toLowerCase(Locale.ROOT);
    if (FOREIGN_ENDS.contains(end)) {
      throw new TfosException(
          FileError.FOREIGN_COMPRESSION,
          name + " is compressed with a codec that TensorFlow does not know (" + end + ")",
          "TFRecord files are plain, .gz or .zlib; leave the file out or write it anew.");
    }
    return Compression.ofFileName(name);
  }
}
