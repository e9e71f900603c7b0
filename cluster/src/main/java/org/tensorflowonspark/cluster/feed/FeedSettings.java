/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.io.Serializable;
import java.time.Duration;
import org.tensorflowonspark.base.OptionValues;
import org.tensorflowonspark.cluster.config.ClusterOptions;

/** The options that feeds use, on both of their ends. */
public record FeedSettings(
    long queueBytes, long chunkBytes, int shuffleRows, Duration progressTimeout)
    implements Serializable {

  /** Reads them from the resolved options. */
  public static FeedSettings from(OptionValues options) {
    return new FeedSettings(
        options.get(ClusterOptions.QUEUE_BYTES),
        options.get(ClusterOptions.CHUNK_BYTES),
        options.get(ClusterOptions.SHUFFLE_ROWS),
        options.get(ClusterOptions.PROGRESS_TIMEOUT));
  }
}
