/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.columns.ChunkReader;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.cluster.columns.RowPicks;
import org.tensorflowonspark.cluster.control.Activity;
import org.tensorflowonspark.tensorflow.Batch;

/**
 * The reading end of a feed, in a program on an executor: fills one batch after the other with the
 * rows that the driver sends, or with the records of files. Used by the program's thread only; the
 * program closes it, which also tells the driver that it reads no more, or ends the reading.
 *
 * <p>A batch never mixes epochs or data sets; the last one of an epoch may be partial.
 */
public final class Feed implements AutoCloseable {
  private final String name;
  private final List<ColumnTarget> targets;
  private final int batchSize;
  private final @Nullable StepAgreement agreement;
  private final EpochSource epochs;
  private final Activity activity;
  private final ChunkReader reader;
  private final RowPicks picks = new RowPicks();

  private @Nullable BatchSink sink;
  private @Nullable RowOrder rows;
  private int epoch;
  private long exchangesBefore = -1;
  private boolean gaveEmpty;
  private boolean closed;

  Feed(
      String name,
      List<ColumnTarget> targets,
      int batchSize,
      @Nullable StepAgreement agreement,
      EpochSource epochs,
      Activity activity) {
    this.name = name;
    this.targets = List.copyOf(targets);
    this.batchSize = batchSize;
    this.agreement = agreement;
    this.epochs = epochs;
    this.activity = activity;
    this.reader = new ChunkReader(targets);
  }

  /**
   * Fills {@code batch} with the next rows; blocks until there are enough, or no more in this
   * epoch.
   *
   * <p>A synchronous feed also returns true with a batch of no rows while other nodes still have
   * rows: the program takes part in the step with weight zero, as with any other batch.
   *
   * <p>A feed that the driver trains returns false when the driver has ended the feeds. A feed that
   * was loaded, or reads files without a number of epochs, returns false after each pass, and
   * begins the next pass with the next call; one that reads files in epochs returns false after the
   * last.
   *
   * @return false when there are no more rows
   */
  public boolean next(Batch batch) throws InterruptedException {
    if (closed) {
      throw new IllegalStateException("Feed '" + name + "' is closed");
    }
    activity.doing("waits for rows of feed '" + name + "'");
    boolean more = fill(batch);
    activity.doing("runs its program");
    if (more) {
      activity.nextStep();
    }
    return more;
  }

  private boolean fill(Batch batch) throws InterruptedException {
    while (true) {
      RowOrder order = rows;
      if (order == null) {
        order = epochs.begin();
        if (order == null) {
          batch.setRows(0);
          return false;
        }
        rows = order;
        epoch = epochs.epoch;
        expectAgreement();
      } else if (agreement != null && exchangesBefore >= 0) {
        if (agreement.exchanges() == exchangesBefore && gaveEmpty) {
          throw FeedErrors.noStep(name);
        }
        if (!agreement.anybodyHasMore()) {
          if (!nextEpoch()) {
            return false;
          }
          continue;
        }
      }
      picks.clear();
      order.pick(picks, Math.min(batchSize, batch.capacity()));
      if (picks.rows() > 0) {
        copy(batch);
        order.copied();
        epochs.rowsUsed += picks.rows();
        picks.clear();
        say(order.maybeMore(), false);
        return true;
      }
      if (agreement != null) {
        batch.setRows(0);
        say(false, true);
        return true;
      }
      if (!nextEpoch()) {
        return false;
      }
    }
  }

  private void say(boolean more, boolean empty) {
    if (agreement != null) {
      agreement.say(more);
      exchangesBefore = agreement.exchanges();
      gaveEmpty = empty;
    }
  }

  private void copy(Batch batch) {
    BatchSink target = sink;
    if (target == null || target.batch() != batch) {
      target = new BatchSink(targets, batch);
      sink = target;
    }
    reader.fill(picks, target);
    batch.setRows(picks.rows());
  }

  private void expectAgreement() {
    exchangesBefore = -1;
    if (agreement != null) {
      agreement.begin();
    }
  }

  /** Ends the epoch; false when the program is to hear of that first. */
  private boolean nextEpoch() {
    rows = null;
    return epochs.end();
  }

  /** Index of the epoch that the last batch belongs to, from 0. */
  public int epoch() {
    return epoch;
  }

  /** Rows of this data set that this node has used so far, over all epochs. */
  public long rowsUsed() {
    return epochs.rowsUsed;
  }

  /** The columns that the feed reads. */
  public List<ColumnTarget> columns() {
    return targets;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (agreement != null) {
      agreement.release();
    }
    epochs.close();
  }
}
