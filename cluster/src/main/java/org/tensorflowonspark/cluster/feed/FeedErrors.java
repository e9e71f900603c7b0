/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.time.Duration;
import java.util.List;
import org.apache.spark.TaskKilledException;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;

/** The errors of feeds, in one place so that their words agree. */
final class FeedErrors {
  private FeedErrors() {}

  static TfosException blockLost(String feed, int partition, int rows) {
    return new TfosException(
        ClusterError.BLOCK_LOST,
        "%d rows of partition %d that feed '%s' kept for a later epoch are gone from Spark's storage"
            .formatted(rows, partition, feed),
        "Look for a failed disk or a removed spark.local.dir on this executor.");
  }

  static TfosException aborted(String feed, @Nullable Throwable cause) {
    return new TfosException(
        ClusterError.STOPPED, "Feed '" + feed + "' was stopped with its node", "", cause);
  }

  /** Ends a task in a way that Spark does not count as a failure of the job. */
  static TaskKilledException fenced(int partition, int attempt) {
    TfosException why =
        new TfosException(
            ClusterError.FENCED,
            "Attempt %d of feed partition %d was overtaken by a newer one"
                .formatted(attempt, partition),
            "Nothing is lost: the newer attempt feeds the rest.");
    return new TaskKilledException(why.getMessage());
  }

  static TfosException filesDiffer(String feed, List<String> paths) {
    return new TfosException(
        ClusterError.FILES_DIFFER,
        "This node does not find the files for feed '%s' that the chief finds at %s"
            .formatted(feed, paths),
        "Give a path that is the same on all hosts, and do not write to it meanwhile; or list the"
            + " files on the driver (TFRecordInput.listed).");
  }

  static TfosException noStep(String feed) {
    return new TfosException(
        ClusterError.NO_STEP,
        "Synchronous feed '%s' gave an empty batch and was read again without an all-reduce"
            .formatted(feed),
        "Call NodeContext.allReduce once for every batch, empty ones too, or open the feed without"
            + " synchronous().");
  }

  static TfosException noProgress(String feed, String node, Duration wait, String doing) {
    return new TfosException(
        ClusterError.NO_PROGRESS,
        "%s took no rows of feed '%s' for %d s although its queue is full; its program %s"
            .formatted(node, feed, wait.toSeconds(), doing),
        "Let the program read the feed to its end or close it, or raise"
            + " spark.tfos.progressTimeout if its steps take that long.");
  }

  static TfosException shorterThanBefore(int partition, long accepted, long rows) {
    return new TfosException(
        ClusterError.ROWS_DIFFER,
        "Partition %d has %d rows now, but %d of its rows were fed by an earlier attempt"
            .formatted(partition, rows, accepted),
        "Cache or write out the data set: it must give the same rows in the same order each time.");
  }
}
