/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.columns.ChunkReader;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.cluster.columns.RowPicks;
import org.tensorflowonspark.cluster.control.Activity;
import org.tensorflowonspark.cluster.control.Event.FeedStarted;
import org.tensorflowonspark.tensorflow.Batch;

/**
 * The reading end of a feed, in a program on an executor: fills one batch after the other with the
 * rows that the driver sends. Used by the program's thread only; the program closes it, which also
 * tells the driver that it reads no more.
 *
 * <p>A batch never mixes epochs or data sets; the last one of an epoch may be partial.
 */
public final class Feed implements AutoCloseable {
  private final String name;
  private final List<ColumnTarget> targets;
  private final int batchSize;
  private final @Nullable StepAgreement agreement;
  private final FeedReceiver receiver;
  private final FeedReceiver.Driver driver;
  private final Activity activity;
  private final ChunkReader reader;
  private final RowPicks picks = new RowPicks();

  private @Nullable BatchSink sink;
  private @Nullable FeedSession session;
  private @Nullable RowOrder rows;
  private int sessionsSeen;
  private int epoch;
  private long rowsUsed;
  private long exchangesBefore = -1;
  private boolean gaveEmpty;
  private boolean closed;

  Feed(
      String name,
      List<ColumnTarget> targets,
      int batchSize,
      @Nullable StepAgreement agreement,
      FeedReceiver receiver,
      FeedReceiver.Driver driver,
      Activity activity) {
    this.name = name;
    this.targets = List.copyOf(targets);
    this.batchSize = batchSize;
    this.agreement = agreement;
    this.receiver = receiver;
    this.driver = driver;
    this.activity = activity;
    this.reader = new ChunkReader(targets);
    this.sessionsSeen = receiver.opened(name);
  }

  /**
   * Fills {@code batch} with the next rows; blocks until there are enough, or no more in this
   * epoch.
   *
   * <p>A synchronous feed also returns true with a batch of no rows while other nodes still have
   * rows: the program takes part in the step with weight zero, as with any other batch.
   *
   * <p>A feed that the driver trains returns false when the driver has ended the feeds. A feed that
   * was loaded returns false after each pass, and begins the next pass with the next call.
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
        order = begin();
        if (order == null) {
          batch.setRows(0);
          return false;
        }
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
        rowsUsed += picks.rows();
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

  /** The first epoch of the next session; null when there is none. */
  private @Nullable RowOrder begin() throws InterruptedException {
    FeedSession next = session;
    if (next == null) {
      activity.doing("waits for the driver to fill feed '" + name + "'");
      next = receiver.await(name, sessionsSeen);
      if (next == null) {
        return null;
      }
      session = next;
      epoch = 0;
      rowsUsed = 0;
      activity.doing("waits for rows of feed '" + name + "'");
    }
    if (next.started().loaded()) {
      next.awaitComplete();
      rows = RowOrder.sequential(ChunkSource.kept(next, null));
    } else {
      rows = order(next, ChunkSource.live(next));
    }
    expectAgreement();
    return rows;
  }

  private RowOrder order(FeedSession of, ChunkSource chunks) {
    FeedStarted started = of.started();
    return started.shuffled()
        ? RowOrder.shuffled(chunks, random(started, 1), receiver.settings().shuffleRows())
        : RowOrder.sequential(chunks);
  }

  private Random random(FeedStarted started, int stream) {
    long seed = started.seed();
    for (int part : new int[] {started.session(), epoch, receiver.reader(), stream}) {
      // A step of SplitMix64 for each part, so that near seeds give unlike streams.
      seed = (seed + part + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
      seed ^= seed >>> 31;
    }
    return new Random(seed);
  }

  private void expectAgreement() {
    exchangesBefore = -1;
    if (agreement != null) {
      agreement.begin();
    }
  }

  /** Goes on to the next epoch or session; false when a loaded pass is over. */
  private boolean nextEpoch() {
    FeedSession current = java.util.Objects.requireNonNull(session);
    FeedStarted started = current.started();
    if (started.loaded()) {
      rows = null;
      if (receiver.isKnown(name, sessionsSeen + 1)) {
        // The driver has loaded other rows since: the next pass reads these.
        current.close();
        sessionsSeen++;
        session = null;
      }
      return false;
    }
    epoch++;
    if (epoch < started.epochs()) {
      Random chunks = started.shuffled() ? random(started, 2) : null;
      rows = order(current, ChunkSource.kept(current, chunks));
      expectAgreement();
      return true;
    }
    driver.done(name, started.session(), rowsUsed, true);
    current.close();
    sessionsSeen++;
    session = null;
    rows = null;
    return true;
  }

  /** Index of the epoch that the last batch belongs to, from 0. */
  public int epoch() {
    return epoch;
  }

  /** Rows of this data set that this node has used so far, over all epochs. */
  public long rowsUsed() {
    return rowsUsed;
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
    FeedSession current = session;
    if (current != null && !current.started().loaded()) {
      current.end();
      driver.done(name, current.started().session(), rowsUsed, false);
      current.close();
    }
    receiver.unread(name, number -> driver.done(name, number, 0, false));
  }
}
