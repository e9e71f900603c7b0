/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

import java.time.Duration;
import org.tensorflowonspark.cluster.control.NodeMessage;
import org.tensorflowonspark.cluster.control.Progress;
import org.tensorflowonspark.cluster.control.RemoteFailure;
import org.tensorflowonspark.cluster.feed.FeedReceiver;
import org.tensorflowonspark.cluster.spark.DriverConnection;

/** What one start of one node says to the driver. Any thread; each call waits for the answer. */
final class DriverLink implements FeedReceiver.Driver {
  private final DriverConnection driver;
  private final int rank;
  private final long incarnation;
  private final Duration timeout;

  DriverLink(DriverConnection driver, int rank, long incarnation, Duration timeout) {
    this.driver = driver;
    this.rank = rank;
    this.incarnation = incarnation;
    this.timeout = timeout;
  }

  byte[] say(NodeMessage message) {
    return driver.ask(message.encode(), timeout);
  }

  byte[] poll(int seen, long step, String doing) {
    return say(new NodeMessage.Poll(rank, incarnation, seen, step, doing));
  }

  @Override
  public void opened(String feed, byte[] spec) {
    say(new NodeMessage.FeedOpened(rank, incarnation, feed, spec));
  }

  @Override
  public void done(String feed, int session, long rows, boolean complete) {
    say(new NodeMessage.FeedDone(rank, incarnation, feed, session, rows, complete));
  }

  void report(Progress progress) {
    say(new NodeMessage.Report(rank, incarnation, progress));
  }

  void finished(long step, byte[] result) {
    say(new NodeMessage.Finished(rank, incarnation, step, result));
  }

  void failed(long step, Throwable failure) {
    say(new NodeMessage.Failed(rank, incarnation, step, RemoteFailure.of(failure)));
  }

  void left() {
    say(new NodeMessage.Left(rank, incarnation));
  }
}
