/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Stands before Spark's frame decoder, which by itself collects frames of 2 GB from anyone. Until
 * the peer has authenticated and said its hello it may send 64 KiB, in frames that fit in them,
 * within 5 s, and hold one of 64 places; afterwards it may send frames up to the cap for messages.
 * Lives on the channel's event loop.
 */
final class PeerGuard extends ChannelInboundHandlerAdapter {
  static final String NAME = "tfosGuard";
  static final int MAX_HALF_OPEN = 64;
  static final int TIMEOUT_MILLIS = 5_000;
  static final int MAX_UNPROVEN_BYTES = 64 << 10;

  private static final int LENGTH_BYTES = 8;
  private static final int FRAME_OVERHEAD = 64;

  private final AtomicInteger halfOpen;
  private final Refusals refusals;
  private final long maxFrame;
  private @Nullable ScheduledFuture<?> timeout;
  private boolean counted;
  private boolean admitted;
  private boolean refused;
  private long unprovenBytes;
  private long frameLeft;
  private long length;
  private int lengthBytes;

  /**
   * @param halfOpen connections of the server that have not been admitted
   * @param maxMessage cap for one message after admission
   */
  PeerGuard(AtomicInteger halfOpen, Refusals refusals, long maxMessage) {
    this.halfOpen = halfOpen;
    this.refusals = refusals;
    this.maxFrame = maxMessage + FRAME_OVERHEAD;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    counted = true;
    if (halfOpen.incrementAndGet() > MAX_HALF_OPEN) {
      refuse(ctx, "too many connections that have not authenticated");
      return;
    }
    timeout =
        ctx.executor()
            .schedule(
                () -> refuse(ctx, "it did not authenticate in time"),
                TIMEOUT_MILLIS,
                TimeUnit.MILLISECONDS);
    ctx.fireChannelActive();
  }

  /**
   * Passes the bytes on frame by frame: a hello that is accepted takes this handler out, and what
   * follows it in the same buffer is no frame any more.
   */
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf data = (ByteBuf) message;
    try {
      while (data.isReadable() && !refused) {
        if (ctx.isRemoved()) {
          ctx.fireChannelRead(data.readRetainedSlice(data.readableBytes()));
          return;
        }
        int start = data.readerIndex();
        String objection = inspectOneFrame(data);
        if (objection != null) {
          refuse(ctx, objection);
          return;
        }
        ctx.fireChannelRead(data.retainedSlice(start, data.readerIndex() - start));
      }
    } finally {
      data.release();
    }
  }

  /** Reads on to the end of the present frame or of the data; what is wrong with it, or null. */
  private @Nullable String inspectOneFrame(ByteBuf data) {
    int start = data.readerIndex();
    while (frameLeft == 0 && data.isReadable()) {
      length = (length << 8) | (data.readByte() & 0xff);
      if (++lengthBytes == LENGTH_BYTES) {
        frameLeft = length - LENGTH_BYTES;
        if (frameLeft <= 0 || frameLeft > (admitted ? maxFrame : MAX_UNPROVEN_BYTES)) {
          return "it announced a frame of " + length + " bytes";
        }
        length = 0;
        lengthBytes = 0;
      }
    }
    int skip = (int) Math.min(frameLeft, data.readableBytes());
    data.skipBytes(skip);
    frameLeft -= skip;
    if (!admitted) {
      unprovenBytes += data.readerIndex() - start;
      if (unprovenBytes > MAX_UNPROVEN_BYTES) {
        return "it sent more than 64 KiB before it authenticated";
      }
    }
    return null;
  }

  /** The peer has authenticated and its hello was accepted. */
  void admit() {
    admitted = true;
    release();
  }

  boolean admitted() {
    return admitted;
  }

  void refuse(ChannelHandlerContext ctx, String why) {
    if (!refused) {
      note(ctx, why);
      RawSocket.close(ctx.channel());
    }
  }

  /** Counts a refusal; from now on nothing of the peer is passed on. The caller closes. */
  void note(ChannelHandlerContext ctx, String why) {
    if (!refused) {
      refused = true;
      refusals.refused(String.valueOf(ctx.channel().remoteAddress()), why);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (!admitted && !refused) {
      refused = true;
      refusals.refused(
          String.valueOf(ctx.channel().remoteAddress()), "it closed or failed to authenticate");
    }
    release();
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    release();
  }

  private void release() {
    if (timeout != null) {
      boolean unused = timeout.cancel(false);
      timeout = null;
    }
    if (counted) {
      counted = false;
      int unused = halfOpen.decrementAndGet();
    }
  }
}
