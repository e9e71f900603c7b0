/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between Spark's frame decoder and its message decoder and lets only the few kinds of
 * messages through that this package uses. Others allocate what a length field says: stream
 * requests, failures and both authentication records carry counted texts, so the counts are checked
 * against the frame first. Lives on the channel's event loop.
 */
final class FrameFilter extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(FrameFilter.class);

  static final String NAME = "tfosFilter";

  private static final byte RPC_REQUEST = 3;
  private static final byte RPC_RESPONSE = 4;
  private static final byte RPC_FAILURE = 5;
  private static final byte SASL = (byte) 0xea;
  private static final byte AUTH_ENGINE = (byte) 0xfb;

  /** Type, request id, body size. */
  private static final int REQUEST_HEAD = 1 + 8 + 4;

  private final Set<Byte> allowed;

  private FrameFilter(Set<Byte> allowed) {
    this.allowed = allowed;
  }

  /** For connections that this process accepted. */
  static FrameFilter forServer() {
    return new FrameFilter(Set.of(RPC_REQUEST));
  }

  /** For connections that this process opened. */
  static FrameFilter forClient() {
    return new FrameFilter(Set.of(RPC_RESPONSE, RPC_FAILURE));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf frame = (ByteBuf) message;
    if (frame.isReadable()
        && allowed.contains(frame.getByte(frame.readerIndex()))
        && sound(frame)) {
      ctx.fireChannelRead(frame);
      return;
    }
    frame.release();
    PeerGuard guard = (PeerGuard) ctx.pipeline().get(PeerGuard.NAME);
    if (guard != null) {
      guard.refuse(ctx, "it sent a message of a kind that is not accepted");
    } else {
      LOG.warn("Closing {}: it sent a message of a kind that is not accepted", ctx.channel());
      RawSocket.close(ctx.channel());
    }
  }

  private static boolean sound(ByteBuf frame) {
    int at = frame.readerIndex();
    int end = frame.writerIndex();
    byte type = frame.getByte(at);
    if (type == RPC_FAILURE) {
      return texts(frame, at + 9, end, 1);
    }
    if (end - at < REQUEST_HEAD) {
      return false;
    }
    int body = at + REQUEST_HEAD;
    if (type == RPC_RESPONSE || body == end) {
      return type == RPC_RESPONSE;
    }
    return switch (frame.getByte(body)) {
      case SASL -> texts(frame, body + 1, end, 1);
      case AUTH_ENGINE -> texts(frame, body + 1, end, 3);
      default -> true;
    };
  }

  /** Whether {@code count} pieces, each after its four-byte length, lie within the frame. */
  private static boolean texts(ByteBuf frame, int start, int end, int count) {
    int at = start;
    for (int i = 0; i < count; i++) {
      if (end - at < 4) {
        return false;
      }
      int length = frame.getInt(at);
      if (length < 0 || length > end - at - 4) {
        return false;
      }
      at += 4 + length;
    }
    return true;
  }
}
