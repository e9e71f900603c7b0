/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.tensorflowonspark.tfrecord.Compression;

/**
 * The TFRecord files of some paths, as they were when listed, in order of their paths.
 *
 * @param files the files
 */
public record RecordFiles(List<RecordFile> files) implements Serializable {

  /** Keeps a copy. */
  public RecordFiles {
    files = List.copyOf(files);
  }

  /**
   * Lists files, directories (with their subdirectories) and glob patterns of any Hadoop file
   * system; names that begin with a dot or an underscore are left out, as Spark does, unless a path
   * is such a name itself. A file that several paths lead to is listed once.
   *
   * @throws org.tensorflowonspark.base.TfosException for a path at which nothing is
   */
  public static RecordFiles list(Configuration configuration, List<String> paths)
      throws IOException {
    FileListing listing = new FileListing(configuration);
    for (String path : paths) {
      listing.add(path);
    }
    return new RecordFiles(listing.files());
  }

  /** Bytes of all files. */
  public long bytes() {
    return files.stream().mapToLong(RecordFile::length).sum();
  }

  /**
   * Cuts what can be cut into equal parts of at most {@code splitBytes}; compressed files stay
   * whole and empty files have no part.
   */
  public List<RecordSplit> splits(long splitBytes) {
    if (splitBytes <= 0) {
      throw new IllegalArgumentException("Parts of " + splitBytes + " bytes");
    }
    List<RecordSplit> splits = new ArrayList<>();
    for (RecordFile file : files) {
      long length = file.length();
      long parts = file.compression() == Compression.NONE ? ceilDiv(length, splitBytes) : 1;
      long step = parts == 0 ? length : ceilDiv(length, parts);
      for (long start = 0; start < length; start += step) {
        splits.add(new RecordSplit(file, start, Math.min(length, start + step)));
      }
    }
    return splits;
  }

  private static long ceilDiv(long a, long b) {
    return a / b + (a % b == 0 ? 0 : 1);
  }
}
