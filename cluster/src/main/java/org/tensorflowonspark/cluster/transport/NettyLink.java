/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.spark.network.util.TransportFrameDecoder;
import org.jspecify.annotations.Nullable;

/**
 * A link over one of Spark's channels after its hello: bytes pass the channel's handlers, among
 * them Spark's encryption, but are no longer framed. Used where the connection is encrypted, or
 * where the plain socket cannot be had ({@link RawSocket}). The event loop copies what arrives
 * straight into the buffer of a waiting receiver, or keeps it and stops reading at a bound.
 */
final class NettyLink implements Link, TransportFrameDecoder.Interceptor {
  private static final int PIECE = 1 << 20;
  private static final long HIGH_WATER = 8L << 20;
  private static final long LOW_WATER = 2L << 20;
  private static final long DRIVE_NANOS = 200_000;

  private final Membership me;
  private final int peer;
  private final String channelName;
  private final String transport;
  private final Channel channel;
  private final LinkTable links;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<ByteBuf> kept = new ArrayDeque<>();
  private long keptBytes;
  private long unsent;
  private boolean draining;
  private @Nullable NioLink driven;
  private @Nullable ByteBuffer target;
  private @Nullable Throwable aborted;
  private @Nullable Throwable broken;
  private boolean lost;
  private boolean closed;

  NettyLink(
      Membership me,
      int peer,
      String channelName,
      String transport,
      Channel channel,
      LinkTable links) {
    this.me = me;
    this.peer = peer;
    this.channelName = channelName;
    this.transport = transport;
    this.channel = channel;
    this.links = links;
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
    lock.lock();
    try {
      check("to take data", false);
      unsent += data.remaining();
    } finally {
      lock.unlock();
    }
    ByteBuffer rest = data.duplicate();
    while (rest.hasRemaining()) {
      int size = Math.min(PIECE, rest.remaining());
      ByteBuf piece = Unpooled.wrappedBuffer(rest.slice(rest.position(), size));
      rest.position(rest.position() + size);
      channel.writeAndFlush(piece).addListener(f -> sent((ChannelFuture) f, size));
    }
  }

  private void sent(ChannelFuture write, int size) {
    lock.lock();
    try {
      unsent -= size;
      if (!write.isSuccess()) {
        broken = write.cause();
        lost = true;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void receive(ByteBuffer into, Deadline deadline) {
    int wanted = into.remaining();
    lock.lock();
    try {
      takeKept(into);
      target = into;
      int left = into.remaining();
      while (into.hasRemaining()) {
        check(sending(wanted, into), true);
        if (deadline.expired()) {
          throw Failures.timedOut(me, peer, deadline, sending(wanted, into));
        }
        long pause = deadline.remainingNanos();
        if (driven != null && driven.sending()) {
          // The other link has no thread but this one, which cannot sleep on both at once.
          pause = driven.push() ? 0 : Math.min(pause, DRIVE_NANOS);
        }
        long unused = changed.awaitNanos(pause);
        if (into.remaining() < left) {
          left = into.remaining();
          deadline.progress();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failures.aborted(me, "rank " + peer, e);
    } finally {
      target = null;
      lock.unlock();
    }
  }

  @Override
  public void drive(Link other) {
    if (other instanceof NioLink nio) {
      driven = nio;
    }
  }

  @Override
  public void finishSend(Deadline deadline) {
    lock.lock();
    try {
      draining = true;
      flow();
      long left = unsent;
      while (unsent > 0) {
        check("to take data" + where(), false);
        if (deadline.expired()) {
          throw Failures.timedOut(me, peer, deadline, "to take data" + where());
        }
        long unused = changed.awaitNanos(deadline.remainingNanos());
        if (unsent < left) {
          left = unsent;
          deadline.progress();
        }
      }
      if (broken != null) {
        // A peer that has all it needs may have gone already; a failed write is another matter.
        check("to take data" + where(), false);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failures.aborted(me, "rank " + peer, e);
    } finally {
      draining = false;
      flow();
      lock.unlock();
    }
  }

  private void takeKept(ByteBuffer into) {
    while (into.hasRemaining() && !kept.isEmpty()) {
      ByteBuf first = kept.getFirst();
      keptBytes -= copy(first, into);
      if (!first.isReadable()) {
        kept.removeFirst().release();
      }
    }
    flow();
  }

  /** Stops and starts reading from the socket; a sender that waits must never stop it. */
  private void flow() {
    boolean reading = channel.config().isAutoRead();
    if (reading && !draining && keptBytes > HIGH_WATER) {
      channel.config().setAutoRead(false);
    } else if (!reading && (draining || keptBytes < LOW_WATER)) {
      channel.config().setAutoRead(true);
    }
  }

  private static int copy(ByteBuf from, ByteBuffer into) {
    int n = Math.min(from.readableBytes(), into.remaining());
    int limit = into.limit();
    from.readBytes(into.limit(into.position() + n));
    into.limit(limit);
    return n;
  }

  @Override
  public boolean handle(ByteBuf data) {
    lock.lock();
    try {
      boolean wake = false;
      if (target != null) {
        wake = copy(data, target) > 0 && !target.hasRemaining();
      }
      if (data.isReadable()) {
        keptBytes += data.readableBytes();
        kept.add(data.readRetainedSlice(data.readableBytes()));
        flow();
      }
      if (wake) {
        changed.signalAll();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes over what has arrived, when the channel is given up for its plain socket. */
  ByteBuffer takeEarly() {
    lock.lock();
    try {
      ByteBuffer early = ByteBuffer.allocate((int) keptBytes);
      takeKept(early);
      return early.flip();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void exceptionCaught(Throwable cause) {
    end(cause);
  }

  @Override
  public void channelInactive() {
    end(null);
    links.forget(this);
  }

  private void end(@Nullable Throwable cause) {
    lock.lock();
    try {
      lost = true;
      if (broken == null) {
        broken = cause;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void check(String what, boolean receiving) {
    if (aborted != null) {
      throw Failures.aborted(me, "rank " + peer + " " + what, aborted);
    }
    if (closed) {
      throw Failures.closed(me, peer, channelName);
    }
    if (lost && (receiving || broken != null || !channel.isActive())) {
      throw Failures.lost(me, peer, what, broken);
    }
  }

  private String sending(int wanted, ByteBuffer into) {
    int arrived = wanted - into.remaining();
    return "to send " + wanted + " bytes (" + arrived + " arrived)" + where();
  }

  private String where() {
    return " on channel '" + channelName + "' over " + transport;
  }

  @Override
  public void abort(Throwable cause) {
    lock.lock();
    try {
      if (aborted == null) {
        aborted = cause;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      kept.forEach(ByteBuf::release);
      kept.clear();
      keptBytes = 0;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    RawSocket.close(channel);
    links.forget(this);
  }
}
