/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import org.tensorflowonspark.cluster.columns.Chunk;

/** One node as a feed task sees it, beside it or far away. Used by one task thread. */
interface FeedSink extends AutoCloseable {

  /** Index of the node among those that feeds go to. */
  int reader();

  /** Whether handing over costs no copy over a socket. */
  boolean isLocal();

  /** Begins an attempt of a partition and tells how many of its rows the node has already. */
  long open(int partition, int attempt) throws InterruptedException;

  /** Hands a chunk over, waiting up to {@code waitMillis} for room. */
  Answer offer(int partition, int attempt, Chunk chunk, int waitMillis) throws InterruptedException;

  /** Says that a partition is complete. */
  Answer closePartition(int partition, int attempt) throws InterruptedException;

  /** Bytes in the node's queue; negative while its program waits for rows. */
  long fill() throws InterruptedException;

  @Override
  void close();
}
