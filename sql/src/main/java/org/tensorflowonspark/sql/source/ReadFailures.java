/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.spark.sql.execution.datasources.DataSourceUtils;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.sql.hadoop.RecordSplit;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;

/**
 * Failures of reading files in the form in which Spark tells those that it may ignore
 * (ignoreMissingFiles, ignoreCorruptFiles) from those that it may not.
 */
final class ReadFailures {
  private ReadFailures() {}

  /** Opens a part of a file; one that has vanished is a {@link FileNotFoundException}. */
  static RecordReader open(RecordSplit split, Configuration configuration, ReadOptions options)
      throws IOException {
    try {
      return split.open(configuration, options);
    } catch (TfosException e) {
      if (e.getCause() instanceof FileNotFoundException gone) {
        gone.addSuppressed(e);
        throw gone;
      }
      throw e;
    }
  }

  /** The failure itself instead of one that wraps it, when it is one that Spark looks for. */
  static IOException unwrapped(IOException e) {
    if (e.getCause() instanceof IOException cause
        && (cause instanceof FileNotFoundException || !isCorruption(cause))) {
      cause.addSuppressed(e);
      return cause;
    }
    return e;
  }

  /** Whether Spark takes a failure for damage of the file. */
  static boolean isCorruption(Exception e) {
    // A file that may not be read, or whose blocks are away for now, is not damaged.
    return !(e instanceof AccessControlException)
        && !(e instanceof BlockMissingException)
        && DataSourceUtils.shouldIgnoreCorruptFileException(e);
  }
}
