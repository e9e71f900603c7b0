/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.transport.Deadline;
import org.tensorflowonspark.cluster.transport.Link;
import org.tensorflowonspark.cluster.transport.NodeAddress;
import org.tensorflowonspark.cluster.transport.NodeTransport;

/**
 * The links to both neighbours, opened at first use. With two ranks both neighbours are the same
 * peer and one link serves both directions.
 */
final class Ring implements AutoCloseable {
  private static final String CHANNEL = "ring";

  private final int rank;
  private final List<NodeAddress> roster;
  private final NodeTransport transport;
  private final Duration timeout;
  private volatile @Nullable Link left;
  private volatile @Nullable Link right;
  private volatile boolean closed;
  private long received;

  Ring(int rank, List<NodeAddress> roster, NodeTransport transport, Duration timeout) {
    this.rank = rank;
    this.roster = roster;
    this.transport = transport;
    this.timeout = timeout;
  }

  int size() {
    return roster.size();
  }

  /** Rank at this distance to the left. */
  int before(int distance) {
    return Math.floorMod(rank - distance, size());
  }

  /** From any thread. */
  boolean isOpen() {
    return left != null && right != null;
  }

  private Link left() {
    Link link = left;
    if (link == null) {
      open();
      link = left;
    }
    if (link == null) {
      throw new IllegalStateException("No links");
    }
    return link;
  }

  private Link right() {
    Link link = right;
    return link == null ? openedRight() : link;
  }

  private Link openedRight() {
    Link unused = left();
    Link link = right;
    if (link == null) {
      throw new IllegalStateException("No links");
    }
    return link;
  }

  private void open() {
    int next = (rank + 1) % size();
    int previous = before(1);
    Deadline deadline = Deadline.after(timeout);
    Link link = null;
    if (size() > 2 || rank == 0) {
      link = transport.connect(roster.get(next), CHANNEL, deadline);
      right = link;
    }
    if (size() > 2 || rank == 1) {
      Link accepted = transport.accept(previous, CHANNEL, deadline);
      left = accepted;
      if (link == null) {
        right = accepted;
      } else {
        accepted.drive(link);
      }
    } else {
      left = link;
    }
    if (closed) {
      close();
    }
  }

  void send(ByteBuffer data) {
    right().startSend(data);
  }

  void receive(ByteBuffer into) {
    int bytes = into.remaining();
    left().receive(into, Deadline.withoutProgress(timeout));
    received += bytes;
  }

  void finish() {
    finish(timeout);
  }

  void finish(Duration limit) {
    right().finishSend(Deadline.withoutProgress(limit));
  }

  /** Bytes received since the start, for errors. */
  long received() {
    return received;
  }

  @Override
  public void close() {
    closed = true;
    Link first = left;
    Link second = right;
    if (first != null) {
      first.close();
    }
    if (second != null) {
      second.close();
    }
  }
}
