/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.concurrent.TimeUnit;
import org.tensorflowonspark.cluster.columns.Chunk;

/** A node in the same JVM. */
record LocalSink(FeedReceiver receiver, String feed, int session) implements FeedSink {

  @Override
  public int reader() {
    return receiver.reader();
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public long open(int partition, int attempt) throws InterruptedException {
    return receiver.open(feed, session, partition, attempt);
  }

  @Override
  public Answer offer(int partition, int attempt, Chunk chunk, int waitMillis)
      throws InterruptedException {
    return receiver.offer(
        feed, session, partition, attempt, chunk, TimeUnit.MILLISECONDS.toNanos(waitMillis));
  }

  @Override
  public Answer closePartition(int partition, int attempt) throws InterruptedException {
    return receiver.closePartition(feed, session, partition, attempt);
  }

  @Override
  public long fill() throws InterruptedException {
    return receiver.fill(feed, session);
  }

  @Override
  public void close() {}
}
