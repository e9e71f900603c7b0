/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflowonspark.base.TfosException;

/**
 * A link that the program's own thread drives on a plain socket: no other thread, no copy. While it
 * waits for one direction it moves the other, so two ranks that send first never block each other.
 * It polls for some tens of microseconds before it sleeps in the selector, because waking a thread
 * costs more than a small message.
 */
final class NioLink implements Link {
  private static final Logger LOG = LoggerFactory.getLogger(NioLink.class);
  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(30);
  private static final int GATHER = 16;
  private static final int STASH_PIECE = 1 << 18;

  private final Membership me;
  private final int peer;
  private final String channelName;
  private final String transport;
  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final Runnable onClose;
  private final ArrayDeque<ByteBuffer> sends = new ArrayDeque<>();
  private final ArrayDeque<ByteBuffer> stash = new ArrayDeque<>();
  private final AtomicReference<@Nullable Throwable> aborted = new AtomicReference<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable ByteBuffer arrival;
  private @Nullable NioLink driven;
  private @Nullable SelectionKey drivenKey;
  private long idleSince;

  /**
   * @param channel connected and authenticated; owned by the link from now on
   * @param early bytes of the pipe that were already read from the channel
   * @param onClose called once, after the channel was closed
   */
  NioLink(
      Membership me,
      int peer,
      String channelName,
      String transport,
      SocketChannel channel,
      @Nullable ByteBuffer early,
      Runnable onClose)
      throws IOException {
    this.me = me;
    this.peer = peer;
    this.channelName = channelName;
    this.transport = transport;
    this.channel = channel;
    this.onClose = onClose;
    if (early != null && early.hasRemaining()) {
      stash.add(early);
    }
    channel.configureBlocking(false);
    selector = Selector.open();
    key = channel.register(selector, SelectionKey.OP_READ);
  }

  @Override
  public int peerRank() {
    return peer;
  }

  @Override
  public String channelName() {
    return channelName;
  }

  @Override
  public String transportName() {
    return transport;
  }

  @Override
  public void startSend(ByteBuffer data) {
    check("to take data");
    if (data.hasRemaining()) {
      boolean idle = sends.isEmpty();
      sends.add(data.duplicate());
      if (idle) {
        boolean unused = push();
      }
    }
  }

  @Override
  public void receive(ByteBuffer into, Deadline deadline) {
    int wanted = into.remaining();
    takeStash(into);
    try {
      while (into.hasRemaining()) {
        check("to send data");
        int n = channel.read(into);
        if (n < 0) {
          throw Failures.lost(me, peer, sending(wanted, into), null);
        }
        boolean moved = n > 0;
        if (!sends.isEmpty()) {
          moved |= write();
        }
        NioLink other = driven;
        if (other != null && !other.sends.isEmpty()) {
          moved |= other.push();
        }
        if (moved) {
          idleSince = 0;
          deadline.progress();
        } else {
          pause(deadline, wanted, into);
        }
      }
    } catch (IOException | IllegalStateException e) {
      throw failed(sending(wanted, into), e);
    }
  }

  @Override
  public void finishSend(Deadline deadline) {
    try {
      while (!sends.isEmpty()) {
        check("to take data");
        if (write()) {
          idleSince = 0;
          deadline.progress();
        } else if (!sends.isEmpty() && !stashArrived()) {
          pause(deadline, 0, null);
        }
      }
    } catch (IOException | IllegalStateException e) {
      throw failed("to take data", e);
    }
  }

  @Override
  public void drive(Link other) {
    if (other instanceof NioLink nio && nio != this) {
      try {
        drivenKey = nio.channel.register(selector, 0);
        driven = nio;
      } catch (IOException | IllegalStateException e) {
        throw nio.failed("to take data", e);
      }
    }
  }

  boolean sending() {
    return !sends.isEmpty();
  }

  /** Sends what can be sent now, for another link that waits; whether any byte moved. */
  boolean push() {
    check("to take data");
    try {
      return write();
    } catch (IOException | IllegalStateException e) {
      throw failed("to take data", e);
    }
  }

  /** Writes what the socket takes; whether any byte moved. */
  private boolean write() throws IOException {
    boolean moved = false;
    while (!sends.isEmpty()) {
      ByteBuffer first = sends.getFirst();
      if (sends.size() == 1) {
        moved |= channel.write(first) > 0;
      } else {
        ByteBuffer[] some = new ByteBuffer[Math.min(GATHER, sends.size())];
        int i = 0;
        for (ByteBuffer send : sends) {
          if (i == some.length) {
            break;
          }
          some[i++] = send;
        }
        moved |= channel.write(some) > 0;
      }
      if (first.hasRemaining()) {
        return moved;
      }
      while (!sends.isEmpty() && !sends.getFirst().hasRemaining()) {
        sends.removeFirst();
      }
    }
    return moved;
  }

  /** Keeps what arrives while only sending, so that the peer can go on to receive. */
  private boolean stashArrived() throws IOException {
    if (arrival == null) {
      arrival = ByteBuffer.allocateDirect(STASH_PIECE);
    }
    int n = channel.read(arrival.clear());
    if (n < 0) {
      throw Failures.lost(me, peer, "to take data", null);
    }
    if (n > 0) {
      stash.add(ByteBuffer.allocate(n).put(arrival.flip()).flip());
    }
    return n > 0;
  }

  private void takeStash(ByteBuffer into) {
    while (into.hasRemaining() && !stash.isEmpty()) {
      ByteBuffer first = stash.getFirst();
      int n = Math.min(first.remaining(), into.remaining());
      into.put(into.position(), first, first.position(), n).position(into.position() + n);
      first.position(first.position() + n);
      if (!first.hasRemaining()) {
        stash.removeFirst();
      }
    }
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private void pause(Deadline deadline, int wanted, @Nullable ByteBuffer into) throws IOException {
    long now = System.nanoTime();
    if (idleSince == 0) {
      idleSince = now;
    }
    if (now - idleSince < POLL_NANOS) {
      // Yields: the peer may be waiting for this very core, and an idle core returns at once.
      Thread.yield();
      return;
    }
    long left = deadline.remainingNanos();
    if (left <= 0) {
      throw Failures.timedOut(
          me, peer, deadline, into == null ? "to take data" + where() : sending(wanted, into));
    }
    int interest = SelectionKey.OP_READ | (sends.isEmpty() ? 0 : SelectionKey.OP_WRITE);
    if (key.interestOps() != interest) {
      key.interestOps(interest);
    }
    if (driven != null && drivenKey != null) {
      int drivenInterest = driven.sends.isEmpty() ? 0 : SelectionKey.OP_WRITE;
      if (drivenKey.interestOps() != drivenInterest) {
        drivenKey.interestOps(drivenInterest);
      }
    }
    int unused = selector.select(k -> {}, Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
    if (Thread.currentThread().isInterrupted()) {
      throw Failures.aborted(me, "rank " + peer, new InterruptedException("interrupted"));
    }
  }

  private String sending(int wanted, ByteBuffer into) {
    int arrived = wanted - into.remaining();
    return "to send " + wanted + " bytes (" + arrived + " arrived)" + where();
  }

  private String where() {
    return " on channel '" + channelName + "' over " + transport;
  }

  private void check(String what) {
    Throwable cause = aborted.get();
    if (cause != null) {
      throw Failures.aborted(me, "rank " + peer + " " + what + where(), cause);
    }
    if (closed.get()) {
      throw Failures.closed(me, peer, channelName);
    }
  }

  private TfosException failed(String what, Exception e) {
    check(what);
    if (e instanceof ClosedByInterruptException) {
      return Failures.aborted(me, "rank " + peer, e);
    }
    return Failures.lost(me, peer, what, e);
  }

  @Override
  public void abort(Throwable cause) {
    if (aborted.compareAndSet(null, cause)) {
      try {
        selector.wakeup();
      } catch (ClosedSelectorException e) {
        LOG.trace("Already closed", e);
      }
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      channel.close();
      // Closing the selector wakes a waiter and lets the closed channel's descriptor go.
      selector.close();
    } catch (IOException e) {
      LOG.debug("While closing the link to rank {}", peer, e);
    } finally {
      onClose.run();
    }
  }
}
