/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.columns.Chunk;
import org.tensorflowonspark.cluster.columns.ChunkMemory;
import org.tensorflowonspark.cluster.transport.NodeAddress;

/**
 * Decides which node gets the next chunk of one partition.
 *
 * <p>By rule, that is always the same node. Otherwise it is a node of this JVM while that has room;
 * when it is full, any node whose queue is much emptier, so that no node waits for rows while
 * another one, which waits for that node, has too many.
 */
final class FeedRouter implements AutoCloseable {
  private static final int WAIT_MILLIS = 20;

  /** How old the knowledge of a remote queue may be; asking costs a round trip. */
  private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final FeedJob job;
  private final int partition;
  private final int attempt;
  private final List<FeedSink> sinks = new ArrayList<>();
  private final long[] remoteFills;
  private final long[] remoteAsked;

  FeedRouter(FeedJob job, int partition, int attempt) {
    this.job = job;
    this.partition = partition;
    this.attempt = attempt;
    String key = FeedJob.clusterKey(job.clusterId(), job.clusterAttempt());
    int readers = job.readers().size();
    this.remoteFills = new long[readers];
    this.remoteAsked = new long[readers];
    Arrays.fill(remoteAsked, System.nanoTime() - ASK_NANOS);
    for (int i = 0; i < readers; i++) {
      // Different partitions begin with different nodes.
      int reader = (partition + i) % readers;
      if (job.byRule() && i > 0) {
        break;
      }
      NodeAddress address = job.readers().get(reader);
      FeedReceiver local = FeedReceiver.local(key, reader);
      sinks.add(
          local != null
              ? new LocalSink(local, job.feed(), job.session())
              : new RemoteSink(job, reader, address));
    }
  }

  /** Where chunks get their memory: from the receiver beside the task, which gives it back. */
  ChunkMemory chunkMemory() {
    for (FeedSink sink : sinks) {
      if (sink instanceof LocalSink local) {
        return local.receiver().chunkMemory();
      }
    }
    return ChunkMemory.heap();
  }

  /** Rows that nodes have of the partition. */
  long accepted() throws InterruptedException {
    return open(0);
  }

  /** Takes the partition over from earlier attempts; returns the rows that nodes have of it. */
  long takeOver() throws InterruptedException {
    return open(attempt);
  }

  private long open(int as) throws InterruptedException {
    long rows = 0;
    for (FeedSink sink : sinks) {
      rows += sink.open(partition, as);
    }
    return rows;
  }

  /** Hands a chunk to a node, waiting for room; false when no program reads any more. */
  boolean send(Chunk chunk) throws InterruptedException {
    long start = System.nanoTime();
    while (!sinks.isEmpty()) {
      FeedSink sink = choose();
      switch (sink.offer(partition, attempt, chunk, 0)) {
        case ACCEPTED:
          remoteFills[sink.reader()] += chunk.bytes();
          return true;
        case FENCED:
          throw FeedErrors.fenced(partition, attempt);
        case ENDED:
          drop(sink);
          continue;
        case FULL:
          break;
      }
      FeedSink hungry = hungriest(sink);
      FeedSink next = hungry == null ? sink : hungry;
      switch (next.offer(partition, attempt, chunk, WAIT_MILLIS)) {
        case ACCEPTED:
          return true;
        case FENCED:
          throw FeedErrors.fenced(partition, attempt);
        case ENDED:
          drop(next);
          continue;
        case FULL:
          break;
      }
      Duration waited = Duration.ofNanos(System.nanoTime() - start);
      if (waited.compareTo(job.settings().progressTimeout()) > 0) {
        throw FeedErrors.noProgress(
            job.feed(), "Node " + sink.reader(), waited, "held its rows back");
      }
    }
    return false;
  }

  /**
   * The local node with the emptiest queue, unless rows pile up there while a node elsewhere has
   * clearly fewer: nodes that train in step are only as fast as the one with the fewest rows.
   */
  private FeedSink choose() throws InterruptedException {
    FeedSink best = sinks.get(0);
    if (sinks.size() == 1) {
      return best;
    }
    long slack = 2 * job.settings().chunkBytes();
    long bestFill = Long.MAX_VALUE;
    for (FeedSink sink : sinks) {
      if (sink.isLocal()) {
        long fill = sink.fill();
        if (fill < bestFill) {
          best = sink;
          bestFill = fill;
        }
      }
    }
    if (bestFill < slack || (!job.inStep() && bestFill < Long.MAX_VALUE)) {
      return best;
    }
    long limit = bestFill == Long.MAX_VALUE ? bestFill : bestFill / 4 * 3 - slack;
    for (FeedSink sink : sinks) {
      if (!sink.isLocal() && remoteFill(sink) < limit) {
        best = sink;
        limit = remoteFills[sink.reader()];
      }
    }
    return best;
  }

  /** What a remote node had when last asked, and what it got from here since. */
  private long remoteFill(FeedSink sink) throws InterruptedException {
    int reader = sink.reader();
    long now = System.nanoTime();
    if (now - remoteAsked[reader] > ASK_NANOS) {
      remoteFills[reader] = sink.fill();
      remoteAsked[reader] = now;
    }
    return remoteFills[reader];
  }

  /** Another node whose queue holds less than half of what {@code full} has, or null. */
  private @Nullable FeedSink hungriest(FeedSink full) throws InterruptedException {
    FeedSink best = null;
    long bestFill = full.fill() / 2;
    for (FeedSink sink : sinks) {
      if (sink != full) {
        long fill = sink.fill();
        if (fill < bestFill) {
          best = sink;
          bestFill = fill;
        }
      }
    }
    return best;
  }

  private void drop(FeedSink sink) {
    sinks.remove(sink);
    sink.close();
  }

  /** The partition is complete. */
  void finish() throws InterruptedException {
    if (!job.byRule()) {
      return;
    }
    for (FeedSink sink : sinks) {
      if (sink.closePartition(partition, attempt) == Answer.FENCED) {
        throw FeedErrors.fenced(partition, attempt);
      }
    }
  }

  @Override
  public void close() {
    sinks.forEach(FeedSink::close);
    sinks.clear();
  }
}
