/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.config;

import java.time.Duration;
import org.tensorflowonspark.base.Option;
import org.tensorflowonspark.base.OptionTable;

/** The options of clusters and their feeds, settable on the builder or in Spark's configuration. */
public final class ClusterOptions {
  /** Start of every key. */
  public static final String PREFIX = "spark.tfos.";

  /** How long to wait for executors to offer enough places. */
  public static final Option<Duration> SLOT_TIMEOUT =
      Option.ofDuration(
          "spark.tfos.cluster.slotTimeout",
          "4s",
          "How long `start` waits until the executors that Spark has offer a place for every node. A place is a task slot; a node takes none once it runs.");

  /** How long all nodes may take to check in. */
  public static final Option<Duration> START_TIMEOUT =
      Option.ofDuration(
          "spark.tfos.cluster.startTimeout",
          "60s",
          "How long all nodes together may take from the call of `start` to their check-in.");

  /** How long a node or the driver may be silent. */
  public static final Option<Duration> SILENCE_TIMEOUT =
      Option.ofDuration(
          "spark.tfos.cluster.silenceTimeout",
          "8s",
          "How long a node or the driver may be silent before the other side takes it for dead. A process that ended is noticed at once.");

  /** How long close waits for programs. */
  public static final Option<Duration> CLOSE_TIMEOUT =
      Option.ofDuration(
          "spark.tfos.cluster.closeTimeout",
          "10min",
          "How long `close` waits for the programs to end after their feeds have ended.");

  /** How long a wait on somebody else may go without progress. */
  public static final Option<Duration> PROGRESS_TIMEOUT =
      Option.ofDuration(
          "spark.tfos.progressTimeout",
          "5min",
          "How long a feed or a collective may wait without any progress before it fails and names whom it waited for.");

  /** Memory of a feed's queue. */
  public static final Option<Long> QUEUE_BYTES =
      Option.ofBytes(
          "spark.tfos.feed.queueBytes",
          "64m",
          "Rows that wait in a node for its program, in bytes for each feed; a full queue holds the feed tasks back.");

  /** Rows a chunk holds. */
  public static final Option<Long> CHUNK_BYTES =
      Option.ofBytes(
          "spark.tfos.feed.chunkBytes",
          "1m",
          "Size of the pieces in which a feed task hands rows to a node.");

  /** Rows of the shuffle window. */
  public static final Option<Integer> SHUFFLE_ROWS =
      Option.ofInt(
          "spark.tfos.feed.shuffleRows",
          16384,
          1,
          "Rows among which a shuffled feed draws the next one; the order of the pieces is shuffled beside it from the second epoch on.");

  /** Which transport nodes use between them. */
  public static final Option<String> TRANSPORT =
      Option.ofString(
          "spark.tfos.transport",
          "auto",
          "How nodes talk to each other: `auto` (a Unix domain socket within a host, TCP between hosts), `unix` or `tcp`.");

  /** The table that documentation and resolution use. */
  public static final OptionTable TABLE =
      OptionTable.of(
          PREFIX,
          SLOT_TIMEOUT,
          START_TIMEOUT,
          SILENCE_TIMEOUT,
          CLOSE_TIMEOUT,
          PROGRESS_TIMEOUT,
          QUEUE_BYTES,
          CHUNK_BYTES,
          SHUFFLE_ROWS,
          TRANSPORT);

  private ClusterOptions() {}
}
