/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.spark;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.storage.BlockData;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.reflect.ClassTag;

/**
 * Buffers kept in this executor's storage memory, which Spark bounds, shares with cached data and
 * moves to its local disks when it runs short. They are filed as blocks of an RDD id that the
 * driver reserved, each node's beside the others', and vanish with the executor. Any thread.
 */
public final class RowBlocks implements AutoCloseable {
  private static final ClassTag<Object> ANY = scala.reflect.ClassTag$.MODULE$.Object();
  private static final Option<TaskContext> NO_TASK = Option.empty();

  private static final int BLOCKS_PER_NODE = 1 << 20;

  private final BlockManager blocks = SparkEnv.get().blockManager();
  private final Set<Integer> present = ConcurrentHashMap.newKeySet();
  private final AtomicInteger next = new AtomicInteger();
  private final int rddId;
  private final int first;

  /** The blocks that the node {@code reader} keeps under {@code rddId}. */
  public RowBlocks(int rddId, int reader) {
    this.rddId = rddId;
    this.first = Math.multiplyExact(reader, BLOCKS_PER_NODE);
  }

  /**
   * Keeps {@code bytes} (from position to limit), without copying while there is memory.
   *
   * @return the index to ask for them again
   */
  public int put(ByteBuffer bytes) {
    int index = next.getAndIncrement();
    boolean kept =
        index < BLOCKS_PER_NODE
            && blocks.putBytes(
                id(index),
                new ChunkedByteBuffer(bytes.slice()),
                StorageLevel.MEMORY_AND_DISK_SER(),
                false,
                ANY);
    if (kept) {
      present.add(index);
    } else {
      throw new IllegalStateException(
          "Spark could keep " + bytes.remaining() + " bytes neither in memory nor on disk");
    }
    return index;
  }

  /** The bytes kept under {@code index}, or null when they are gone. */
  public @Nullable ByteBuffer get(int index) {
    Option<BlockData> data = blocks.getLocalBytes(id(index));
    if (data.isEmpty()) {
      return null;
    }
    try {
      return data.get().toByteBuffer();
    } finally {
      // The buffer stays reachable through us; the lock would only keep Spark from evicting.
      blocks.releaseLock(id(index), NO_TASK);
    }
  }

  /** Forgets one block. */
  public void remove(int index) {
    if (present.remove(index)) {
      blocks.removeBlock(id(index), false);
    }
  }

  /** Forgets everything that this node kept. */
  @Override
  public void close() {
    present.forEach(this::remove);
  }

  private BlockId id(int index) {
    return new RDDBlockId(rddId, first + index);
  }
}
