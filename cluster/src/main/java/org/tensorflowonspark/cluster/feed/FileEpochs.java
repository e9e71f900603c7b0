/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.columns.Chunk;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.cluster.files.RecordChunks;
import org.tensorflowonspark.cluster.files.RecordPlan;
import org.tensorflowonspark.cluster.files.RecordShards;
import org.tensorflowonspark.cluster.files.TFRecordInput;
import org.tensorflowonspark.sql.hadoop.RecordSplit;

/**
 * The epochs of files that the node reads itself; each epoch reads its share of them anew. Without
 * a number of epochs the feed tells the program when a pass is over and begins the next when asked.
 */
final class FileEpochs extends EpochSource {
  private final String name;
  private final RecordPlan plan;
  private final @Nullable Epochs epochs;
  private final RecordShards shards;
  private final Configuration hadoop;
  private final FeedReceiver receiver;

  private @Nullable RecordChunks chunks;

  /**
   * @param input the input, with its files listed
   * @param epochs how often and in which order; null: one pass after the other
   * @param nodes number of nodes that share the files
   */
  FileEpochs(
      String name,
      TFRecordInput input,
      @Nullable Epochs epochs,
      List<ColumnTarget> targets,
      int nodes,
      Configuration hadoop,
      FeedReceiver receiver) {
    this.name = name;
    this.epochs = epochs;
    this.hadoop = hadoop;
    this.receiver = receiver;
    this.plan = RecordPlan.of(input, targets, hadoop);
    this.shards = RecordShards.of(Objects.requireNonNull(input.files(), "files"), nodes);
  }

  @Override
  @Nullable RowOrder begin() {
    if (epochs != null && epoch == epochs.count()) {
      return null;
    }
    int node = receiver.reader();
    boolean shuffled = epochs != null && epochs.isShuffled();
    long seed = epochs == null ? 0 : epochs.seed();
    List<RecordSplit> splits = shuffled ? shards.shuffled(node, seed, epoch) : shards.inOrder(node);
    FeedSettings settings = receiver.settings();
    RecordChunks reading =
        new RecordChunks(
            plan,
            splits,
            hadoop,
            new RecordChunks.Limits(
                settings.queueBytes(), settings.chunkBytes(), settings.progressTimeout()),
            receiver.chunkMemory(),
            "tfos-files-" + name + "-" + node);
    chunks = reading;
    ChunkSource source = source(reading);
    return shuffled
        ? RowOrder.shuffled(source, EpochSource.random(seed, epoch, node), settings.shuffleRows())
        : RowOrder.sequential(source);
  }

  private static ChunkSource source(RecordChunks chunks) {
    return new ChunkSource() {
      @Override
      public @Nullable Chunk next() throws InterruptedException {
        return chunks.next();
      }

      @Override
      public boolean maybeMore() {
        return chunks.maybeMore();
      }

      @Override
      public boolean isReadOnce() {
        return true;
      }
    };
  }

  @Override
  boolean end() {
    close();
    epoch++;
    return epochs != null;
  }

  @Override
  public void close() {
    RecordChunks open = chunks;
    if (open != null) {
      open.close();
      chunks = null;
    }
  }
}
