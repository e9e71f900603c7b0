/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import org.apache.spark.SparkException;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;

/** Makes of a failed Spark job the exception that its user should read. */
final class Failures {
  private Failures() {}

  /**
   * The coded error inside {@code failure} if there is one, else an error that says which job
   * failed and keeps it as the cause.
   */
  static RuntimeException ofJob(ClusterError error, String what, Exception failure) {
    TfosException coded = coded(failure);
    if (coded != null) {
      return coded;
    }
    String message = String.valueOf(failure.getMessage());
    if (isCancelled(failure)) {
      return new TfosException(
          ClusterError.CANCELLED,
          "The Spark job that " + what + " was cancelled: " + firstLine(message),
          "",
          failure);
    }
    return new TfosException(
        error, "The Spark job that " + what + " failed: " + firstLine(message), "", failure);
  }

  /** The outermost coded error in the chain of causes, or null. */
  static @Nullable TfosException coded(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof TfosException coded) {
        return coded;
      }
    }
    return null;
  }

  /** Whether Spark was told to cancel the job. */
  static boolean isCancelled(Exception failure) {
    return failure instanceof SparkException
        && String.valueOf(failure.getMessage()).contains("cancelled");
  }

  /** Whether the rows, not a node, made the job fail. */
  static boolean isOfData(Exception failure) {
    TfosException coded = coded(failure);
    return coded != null && coded.code().startsWith("TFOS-COLUMN");
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
