/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.columns.Chunk;
import org.tensorflowonspark.cluster.control.Event.FeedStarted;
import org.tensorflowonspark.cluster.spark.RowBlocks;

/**
 * One data set on its way through one node: a queue of chunks between feed tasks and the program,
 * bounded in bytes, and the chunks kept for later epochs.
 *
 * <p>Feed tasks call {@link #open}, {@link #offer} and {@link #closePartition} on any thread; the
 * program's thread calls {@link #take} and the replay methods.
 */
final class FeedSession implements AutoCloseable {
  /** Without a chunk taken for this long a program is taken to wait for others, not for us. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /** A chunk, or where it is kept. */
  record Item(int partition, int sequence, int rows, int block, @Nullable Chunk chunk) {}

  private final FeedStarted started;
  private final int readers;
  private final FeedSettings settings;
  private final RowBlocks blocks;
  private final boolean keep;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Queue of each own partition by rule, or one queue for all. */
  private final List<Deque<Item>> queues = new ArrayList<>();

  private final boolean[] partitionDone;
  private final int[] partitionAttempt;
  private final long[] partitionRows;
  private final int[] partitionChunks;
  private final List<Item> kept = new ArrayList<>();

  private int head;
  private long queuedBytes;
  private long rowsAccepted;
  private long lastTaken = System.nanoTime();
  private boolean complete;
  private boolean ended;
  private boolean waiting;
  private @Nullable Throwable aborted;

  FeedSession(FeedStarted started, int reader, int readers, FeedSettings settings) {
    this.started = started;
    this.readers = readers;
    this.settings = settings;
    this.blocks = new RowBlocks(started.blockId(), reader);
    this.keep = started.epochs() > 1 || started.loaded();
    int partitions = started.partitions();
    int own = started.byRule() ? Math.max(0, (partitions - reader + readers - 1) / readers) : 1;
    for (int i = 0; i < own; i++) {
      queues.add(new ArrayDeque<>());
    }
    partitionDone = new boolean[own];
    partitionAttempt = new int[partitions];
    partitionRows = new long[partitions];
    partitionChunks = new int[partitions];
  }

  FeedStarted started() {
    return started;
  }

  /** Whether chunks stay for later epochs. */
  boolean keeps() {
    return keep;
  }

  /**
   * Begins an attempt of a partition; older attempts are refused from now on.
   *
   * @return rows of the partition that this node has already
   */
  long open(int partition, int attempt) {
    lock.lock();
    try {
      partitionAttempt[partition] = Math.max(partitionAttempt[partition], attempt);
      return partitionRows[partition];
    } finally {
      lock.unlock();
    }
  }

  /** Takes a chunk, waiting up to {@code waitNanos} for room. */
  Answer offer(int partition, int attempt, Chunk chunk, long waitNanos)
      throws InterruptedException {
    long left = waitNanos;
    lock.lock();
    try {
      while (true) {
        if (attempt < partitionAttempt[partition]) {
          return Answer.FENCED;
        }
        if (aborted != null || ended) {
          return Answer.ENDED;
        }
        // One chunk always fits, whatever its size, or a huge row could never pass.
        boolean fits = queuedBytes == 0 || queuedBytes + chunk.bytes() <= settings.queueBytes();
        if (fits || started.loaded() || mayNotWait(partition)) {
          accept(partition, chunk, fits && !started.loaded());
          return Answer.ACCEPTED;
        }
        if (left <= 0) {
          return Answer.FULL;
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * By rule, rows can go nowhere else: when it is not their turn, or the program itself waits for
   * other nodes, holding the task back could hold back the very task that those nodes wait for. So
   * such rows go to Spark's storage.
   */
  private boolean mayNotWait(int partition) {
    return started.byRule()
        && (partition / readers != head || System.nanoTime() - lastTaken > IDLE_NANOS);
  }

  private void accept(int partition, Chunk chunk, boolean inMemory) {
    int block = keep || !inMemory ? blocks.put(chunk.toByteBuffer()) : -1;
    Item item =
        new Item(
            partition, partitionChunks[partition]++, chunk.rows(), block, inMemory ? chunk : null);
    partitionRows[partition] += chunk.rows();
    rowsAccepted += chunk.rows();
    if (keep) {
      kept.add(new Item(partition, item.sequence(), item.rows(), block, null));
    }
    if (!started.loaded()) {
      queues.get(started.byRule() ? partition / readers : 0).add(item);
      if (inMemory) {
        queuedBytes += chunk.bytes();
      }
    }
    changed.signalAll();
  }

  /** A partition has no more rows. */
  Answer closePartition(int partition, int attempt) {
    lock.lock();
    try {
      if (attempt < partitionAttempt[partition]) {
        return Answer.FENCED;
      }
      if (started.byRule()) {
        partitionDone[partition / readers] = true;
        changed.signalAll();
      }
      return Answer.ACCEPTED;
    } finally {
      lock.unlock();
    }
  }

  /** The driver says that all rows have been handed over. */
  void completed() {
    lock.lock();
    try {
      complete = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Bytes in the queue, as a negative number while the program waits for a chunk. */
  long fill() {
    lock.lock();
    try {
      return ended ? Long.MAX_VALUE : waiting && queuedBytes == 0 ? -1 : queuedBytes;
    } finally {
      lock.unlock();
    }
  }

  /** The next chunk of the first epoch; waits for it; null when the epoch has no more here. */
  @Nullable Chunk take() throws InterruptedException {
    Item item;
    lock.lockInterruptibly();
    try {
      while (true) {
        checkAborted();
        item = poll();
        if (item != null || isOver()) {
          break;
        }
        waiting = true;
        changed.await();
        waiting = false;
      }
      lastTaken = System.nanoTime();
      if (item != null && item.chunk() != null) {
        queuedBytes -= item.chunk().bytes();
      }
      changed.signalAll();
    } finally {
      waiting = false;
      lock.unlock();
    }
    if (item == null) {
      return null;
    }
    Chunk chunk = load(item);
    if (!keep && item.block() >= 0) {
      blocks.remove(item.block());
    }
    return chunk;
  }

  private @Nullable Item poll() {
    while (head < queues.size()) {
      Item item = queues.get(head).poll();
      if (item != null || !partitionDone[head]) {
        return item;
      }
      head++;
    }
    return null;
  }

  private boolean isOver() {
    return head >= queues.size() || (complete && queues.stream().allMatch(Deque::isEmpty));
  }

  /** Whether {@link #take} may return another chunk; true while that is not known. */
  boolean maybeMore() {
    lock.lock();
    try {
      while (head < queues.size() && partitionDone[head] && queues.get(head).isEmpty()) {
        head++;
      }
      return !isOver();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all rows are here. */
  void awaitComplete() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!complete) {
        checkAborted();
        changed.await();
      }
      checkAborted();
    } finally {
      lock.unlock();
    }
  }

  /** The chunks kept, in an order that does not depend on the order of arrival. */
  List<Item> kept() {
    lock.lock();
    try {
      kept.sort(Comparator.comparingInt(Item::partition).thenComparingInt(Item::sequence));
      return List.copyOf(kept);
    } finally {
      lock.unlock();
    }
  }

  /** Reads a chunk that was kept. */
  Chunk load(Item item) {
    if (item.chunk() != null) {
      return item.chunk();
    }
    java.nio.ByteBuffer bytes = blocks.get(item.block());
    if (bytes == null) {
      throw FeedErrors.blockLost(started.feed(), item.partition(), item.rows());
    }
    return Chunk.fromByteBuffer(bytes);
  }

  long rowsAccepted() {
    lock.lock();
    try {
      return rowsAccepted;
    } finally {
      lock.unlock();
    }
  }

  /** The program reads no more: whoever offers rows is told so. */
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the program has read it to its end, or reads no more. */
  boolean isEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes everybody; the program gets {@code cause}. */
  void abort(Throwable cause) {
    lock.lock();
    try {
      aborted = cause;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void checkAborted() {
    if (aborted != null) {
      throw FeedErrors.aborted(started.feed(), aborted);
    }
  }

  @Override
  public void close() {
    end();
    lock.lock();
    try {
      queues.forEach(Deque::clear);
      kept.clear();
    } finally {
      lock.unlock();
    }
    blocks.close();
  }
}
