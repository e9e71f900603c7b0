/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.tensorflowonspark.cluster.columns.ChunkBuilder;

/**
 * Feeds one partition: turns its rows into chunks and hands them to nodes. Runs in a Spark task, on
 * the task's thread, and blocks while the nodes' queues are full.
 */
public final class FeedTask implements Serializable {
  private static final long serialVersionUID = 1L;

  private final FeedJob job;

  /** The task of {@code job} for any partition. */
  public FeedTask(FeedJob job) {
    this.job = job;
  }

  /**
   * Feeds all rows.
   *
   * <p>An attempt after the first asks the nodes how many rows of the partition they have and skips
   * these, so that no row is fed twice; it relies on the partition giving the same rows in the same
   * order.
   *
   * @param partition index of the partition
   * @param attempt number of the task's attempt
   * @return rows of the partition; fewer when all programs stopped reading before its end
   */
  public long run(int partition, int attempt, Iterator<InternalRow> rows)
      throws InterruptedException {
    try (FeedRouter router = new FeedRouter(job, partition, attempt)) {
      long seen = attempt == 0 ? 0 : catchUp(router, partition, rows);
      long chunkBytes = job.settings().chunkBytes();
      ChunkBuilder builder =
          ChunkBuilder.of(
                  job.plan(), job.plan().rowsFor(chunkBytes), chunkBytes, router.chunkMemory())
              .source(partition, attempt, seen);
      while (rows.hasNext()) {
        builder.append(rows.next());
        seen++;
        if (builder.isFull() && !router.send(builder.build())) {
          return seen;
        }
      }
      if (builder.rows() > 0 && !router.send(builder.build())) {
        return seen;
      }
      router.finish();
      return seen;
    }
  }

  /**
   * Reads over the rows that nodes have already. An older attempt may still be at work: it goes on
   * until this one has come as far, so that attempts which overtake each other get somewhere.
   */
  private static long catchUp(FeedRouter router, int partition, Iterator<InternalRow> rows)
      throws InterruptedException {
    long seen = 0;
    long accepted = router.accepted();
    while (seen < accepted) {
      seen = skip(partition, rows, seen, accepted);
      accepted = router.accepted();
    }
    return skip(partition, rows, seen, router.takeOver());
  }

  private static long skip(int partition, Iterator<InternalRow> rows, long seen, long to) {
    for (long i = seen; i < to; i++) {
      if (!rows.hasNext()) {
        throw FeedErrors.shorterThanBefore(partition, to, i);
      }
      rows.next();
    }
    return Math.max(seen, to);
  }
}
