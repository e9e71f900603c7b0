/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.control.Activity;
import org.tensorflowonspark.cluster.control.Event.FeedStarted;

/** The epochs of the data sets that the driver sends to a feed, one after the other. */
final class SessionEpochs extends EpochSource {
  private final String name;
  private final FeedReceiver receiver;
  private final FeedReceiver.Driver driver;
  private final Activity activity;

  private @Nullable FeedSession session;
  private int sessionsSeen;

  SessionEpochs(String name, FeedReceiver receiver, FeedReceiver.Driver driver, Activity activity) {
    this.name = name;
    this.receiver = receiver;
    this.driver = driver;
    this.activity = activity;
    this.sessionsSeen = receiver.opened(name);
  }

  @Override
  @Nullable RowOrder begin() throws InterruptedException {
    FeedSession current = session;
    if (current != null && !current.started().loaded()) {
      Random chunks = current.started().shuffled() ? random(current.started(), 2) : null;
      return order(current, ChunkSource.kept(current, chunks));
    }
    if (current == null) {
      activity.doing("waits for the driver to fill feed '" + name + "'");
      current = receiver.await(name, sessionsSeen);
      if (current == null) {
        return null;
      }
      session = current;
      epoch = 0;
      rowsUsed = 0;
      activity.doing("waits for rows of feed '" + name + "'");
    }
    if (current.started().loaded()) {
      current.awaitComplete();
      return RowOrder.sequential(ChunkSource.kept(current, null));
    }
    return order(current, ChunkSource.live(current));
  }

  private RowOrder order(FeedSession of, ChunkSource chunks) {
    FeedStarted started = of.started();
    return started.shuffled()
        ? RowOrder.shuffled(chunks, random(started, 1), receiver.settings().shuffleRows())
        : RowOrder.sequential(chunks);
  }

  private Random random(FeedStarted started, int stream) {
    return EpochSource.random(started.seed(), started.session(), epoch, receiver.reader(), stream);
  }

  @Override
  boolean end() {
    FeedSession current = Objects.requireNonNull(session);
    FeedStarted started = current.started();
    if (started.loaded()) {
      if (receiver.isKnown(name, sessionsSeen + 1)) {
        // The driver has loaded other rows since: the next pass reads these.
        next(current);
      }
      return false;
    }
    epoch++;
    if (epoch == started.epochs()) {
      driver.done(name, started.session(), rowsUsed, true);
      next(current);
    }
    return true;
  }

  private void next(FeedSession current) {
    current.close();
    sessionsSeen++;
    session = null;
  }

  @Override
  public void close() {
    FeedSession current = session;
    if (current != null && !current.started().loaded()) {
      current.end();
      driver.done(name, current.started().session(), rowsUsed, false);
      current.close();
    }
    receiver.unread(name, number -> driver.done(name, number, 0, false));
  }
}
