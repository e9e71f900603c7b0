/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * All links of a node: those that peers opened and nobody has asked for yet, and every open one, so
 * that abort and close reach them. Any thread.
 */
final class LinkTable {
  private record Key(int rank, String channel) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Key, Link> offered = new HashMap<>();
  private final Set<Link> open = new LinkedHashSet<>();
  private final Membership me;
  private @Nullable Throwable aborted;
  private boolean closed;

  LinkTable(Membership me) {
    this.me = me;
  }

  /** Takes a link that a peer opened; a second one of the same name replaces the first. */
  void offer(Link link) {
    if (!register(link)) {
      return;
    }
    Link old;
    lock.lock();
    try {
      old = offered.put(new Key(link.peerRank(), link.channelName()), link);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (old != null) {
      old.close();
    }
  }

  /** Keeps a link for abort and close; closes it at once when it comes too late. */
  boolean register(Link link) {
    Throwable cause;
    lock.lock();
    try {
      if (!closed && aborted == null) {
        open.add(link);
        return true;
      }
      cause = aborted;
    } finally {
      lock.unlock();
    }
    if (cause != null) {
      link.abort(cause);
    }
    link.close();
    return false;
  }

  void forget(Link link) {
    lock.lock();
    try {
      open.remove(link);
      offered.remove(new Key(link.peerRank(), link.channelName()), link);
    } finally {
      lock.unlock();
    }
  }

  Link take(int rank, String channel, Deadline deadline) {
    lock.lock();
    try {
      Key key = new Key(rank, channel);
      while (true) {
        check("rank " + rank + " to open '" + channel + "'");
        Link link = offered.remove(key);
        if (link != null) {
          return link;
        }
        if (deadline.expired()) {
          throw Failures.timedOut(me, rank, deadline, "to open channel '" + channel + "'");
        }
        long unused = changed.awaitNanos(deadline.remainingNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failures.aborted(me, "rank " + rank, e);
    } finally {
      lock.unlock();
    }
  }

  /** Throws when the node was aborted or closed. */
  void checkUsable(String waitedFor) {
    lock.lock();
    try {
      check(waitedFor);
    } finally {
      lock.unlock();
    }
  }

  private void check(String waitedFor) {
    if (aborted != null) {
      throw Failures.aborted(me, waitedFor, aborted);
    }
    if (closed) {
      throw new TfosException(
          TransportError.CLOSED, "The transport of " + me.name() + " is closed", "");
    }
  }

  void abort(Throwable cause) {
    List<Link> links;
    lock.lock();
    try {
      if (aborted == null) {
        aborted = cause;
      }
      changed.signalAll();
      links = List.copyOf(open);
    } finally {
      lock.unlock();
    }
    links.forEach(link -> link.abort(cause));
  }

  void close() {
    List<Link> links;
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      links = List.copyOf(open);
    } finally {
      lock.unlock();
    }
    links.forEach(Link::close);
  }
}
