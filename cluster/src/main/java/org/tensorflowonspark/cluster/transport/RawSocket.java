/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.nio.AbstractNioChannel;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the plain socket of an authenticated, unencrypted channel away from netty, so that the
 * program's thread can read and write it without a hand-over to an event loop, which costs more
 * than a small message takes. netty has no public way to the socket: where the way is barred the
 * link stays on the event loop, slower and otherwise the same.
 */
final class RawSocket {
  private static final Logger LOG = LoggerFactory.getLogger(RawSocket.class);
  private static final @Nullable Method JAVA_CHANNEL = findMethod();

  private RawSocket() {}

  /** Closes a channel, soon; nobody waits for it. */
  static void close(Channel channel) {
    ChannelFuture unused = channel.close();
  }

  private static @Nullable Method findMethod() {
    try {
      Method method = AbstractNioChannel.class.getDeclaredMethod("javaChannel");
      method.setAccessible(true);
      return method;
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.info("TCP links stay on netty's event loop: {}", e.toString());
      return null;
    }
  }

  /**
   * Calls {@code ready} with the best link that can be had on the channel. On the channel's event
   * loop; {@code link} is its interceptor already and everything written so far is flushed before.
   */
  static void upgrade(
      Membership me, Channel channel, NettyLink link, LinkTable links, Consumer<Link> ready) {
    Method javaChannel = JAVA_CHANNEL;
    if (javaChannel == null || !(channel instanceof AbstractNioChannel)) {
      ready.accept(link);
      return;
    }
    channel
        .writeAndFlush(io.netty.buffer.Unpooled.EMPTY_BUFFER)
        .addListener(
            flushed ->
                channel
                    .deregister()
                    .addListener(
                        done -> ready.accept(take(me, channel, link, links, javaChannel))));
  }

  private static Link take(
      Membership me, Channel channel, NettyLink link, LinkTable links, Method javaChannel) {
    // The selector forgets a cancelled channel in its next round only.
    channel.eventLoop().execute(() -> LOG.trace("Deregistered {}", channel));
    AtomicReference<@Nullable Link> self = new AtomicReference<>();
    try {
      SocketChannel socket = (SocketChannel) javaChannel.invoke(channel);
      Link raw =
          new NioLink(
              me,
              link.peerRank(),
              link.channelName(),
              "tcp",
              socket,
              link.takeEarly(),
              () -> {
                close(channel);
                Link closed = self.get();
                if (closed != null) {
                  links.forget(closed);
                }
              });
      self.set(raw);
      return raw;
    } catch (IllegalAccessException | InvocationTargetException | IOException e) {
      // Mostly a peer that is gone already; the link tells whoever uses it.
      LOG.debug("Could not take the socket of {}", channel, e);
      link.exceptionCaught(e);
      close(channel);
      return link;
    }
  }
}
