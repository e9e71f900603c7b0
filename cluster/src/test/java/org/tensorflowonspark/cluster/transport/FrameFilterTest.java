/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No length that a peer names reaches a decoder that would allocate it. */
class FrameFilterTest {

  private static boolean passes(FrameFilter filter, ByteBuf frame) {
    EmbeddedChannel channel = new EmbeddedChannel(filter);
    boolean passed = channel.writeInbound(frame);
    assertThat(channel.isOpen()).isEqualTo(passed);
    boolean unused = channel.finishAndReleaseAll();
    return passed;
  }

  private static ByteBuf request(byte tag, int length, int rest) {
    ByteBuf frame = Unpooled.buffer().writeByte(3).writeLong(1).writeInt(5 + rest);
    return frame.writeByte(tag).writeInt(length).writeZero(rest);
  }

  @ParameterizedTest
  @ValueSource(bytes = {(byte) 0xea, (byte) 0xfb})
  void authenticationRecordsMustFitTheirFrame(byte tag) {
    for (int length : new int[] {Integer.MAX_VALUE, -1, 41}) {
      assertThat(passes(FrameFilter.forServer(), request(tag, length, 40))).isFalse();
    }
    assertThat(passes(FrameFilter.forServer(), request((byte) 0xea, 4, 40))).isTrue();
    assertThat(passes(FrameFilter.forServer(), request((byte) 0xfb, 4, 40))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 100})
  void aServerTakesRequestsOnly(int type) {
    ByteBuf frame = Unpooled.buffer().writeByte(type).writeInt(Integer.MAX_VALUE).writeZero(50);
    assertThat(passes(FrameFilter.forServer(), frame)).isFalse();
  }

  @Test
  void aClientTakesAnswersOnlyAndChecksTheTextOfFailures() {
    ByteBuf failure = Unpooled.buffer().writeByte(5).writeLong(1).writeInt(1 << 30).writeZero(9);
    assertThat(passes(FrameFilter.forClient(), failure)).isFalse();
    ByteBuf fine = Unpooled.buffer().writeByte(5).writeLong(1).writeInt(9).writeZero(9);
    assertThat(passes(FrameFilter.forClient(), fine)).isTrue();
    assertThat(passes(FrameFilter.forClient(), request((byte) 1, 1, 1))).isFalse();
  }
}
