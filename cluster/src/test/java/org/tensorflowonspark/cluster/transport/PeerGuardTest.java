/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Limits before and after admission, whatever the pieces in which bytes arrive. */
class PeerGuardTest {
  private final AtomicInteger halfOpen = new AtomicInteger();
  private final Refusals refusals = new Refusals("test");
  private final PeerGuard guard = new PeerGuard(halfOpen, refusals, 1000);

  private static ByteBuf frame(long length, int present) {
    return Unpooled.buffer().writeLong(length).writeZero(present);
  }

  private static int received(EmbeddedChannel channel) {
    int bytes = 0;
    for (ByteBuf b = channel.readInbound(); b != null; b = channel.readInbound()) {
      bytes += b.readableBytes();
      b.release();
    }
    return bytes;
  }

  @Test
  void framesPassByteByByteAndTogether() {
    EmbeddedChannel channel = new EmbeddedChannel(guard);
    ByteBuf two = Unpooled.wrappedBuffer(frame(18, 10), frame(28, 20));
    for (int i = 0; i < 46; i++) {
      channel.writeInbound(two.retainedSlice(i, 1));
    }
    channel.writeInbound(two);
    assertThat(received(channel)).isEqualTo(92);
    assertThat(halfOpen.get()).isEqualTo(1);
    guard.admit();
    assertThat(halfOpen.get()).isZero();
    channel.finishAndReleaseAll();
    assertThat(refusals.count()).isZero();
  }

  @Test
  void framesThatCannotFitAreRefusedByTheirLengthAlone() {
    for (long length : new long[] {0, 8, -1, (64 << 10) + 9, Long.MAX_VALUE}) {
      PeerGuard each = new PeerGuard(halfOpen, refusals, 1 << 30);
      EmbeddedChannel channel = new EmbeddedChannel(each);
      channel.writeInbound(frame(length, 0));
      assertThat(received(channel)).isZero();
      assertThat(channel.isOpen()).isFalse();
    }
    assertThat(refusals.count()).isEqualTo(5);
    assertThat(halfOpen.get()).isZero();
  }

  @Test
  void manySmallFramesBeforeAdmissionAreRefusedAt64KiB() {
    EmbeddedChannel channel = new EmbeddedChannel(guard);
    for (int i = 0; i < 700 && channel.isOpen(); i++) {
      channel.writeInbound(frame(108, 100));
    }
    assertThat(channel.isOpen()).isFalse();
    assertThat(received(channel)).isLessThanOrEqualTo(PeerGuard.MAX_UNPROVEN_BYTES);
  }

  @Test
  void afterAdmissionTheCapForMessagesHolds() {
    EmbeddedChannel channel = new EmbeddedChannel(guard);
    guard.admit();
    channel.writeInbound(frame(1008, 1000));
    assertThat(received(channel)).isEqualTo(1008);
    channel.writeInbound(frame(1100, 0));
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void bytesBehindTheHelloThatRemovesTheGuardAreNotTakenForAFrame() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.pipeline().addLast(PeerGuard.NAME, guard);
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext ctx, Object message) {
                if (ctx.pipeline().get(PeerGuard.NAME) != null) {
                  ctx.pipeline().remove(PeerGuard.NAME);
                }
                ctx.fireChannelRead(message);
              }
            });
    channel.writeInbound(Unpooled.wrappedBuffer(frame(18, 10), Unpooled.buffer().writeZero(50)));
    assertThat(received(channel)).isEqualTo(68);
    assertThat(channel.isOpen()).isTrue();
  }
}
