/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the node's Unix socket. One thread accepts and reads handshakes, never blocking on a
 * peer: 64 of them at most, 5 s each, 1 KiB each.
 */
final class UnixServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnixServer.class);

  private final Membership me;
  private final LinkTable links;
  private final Refusals refusals;
  private final SocketDirectory directory;
  private final ServerSocketChannel listener;
  private final Selector selector;
  private final Thread thread;
  private final Map<SocketChannel, ServerHandshake> halfOpen = new LinkedHashMap<>();
  private final Map<SocketChannel, Hello> admitted = new LinkedHashMap<>();

  UnixServer(Membership me, Path scratch, LinkTable links, Refusals refusals) throws IOException {
    this.me = me;
    this.links = links;
    this.refusals = refusals;
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    SocketDirectory made = null;
    try {
      made = SocketDirectory.create(scratch);
      listener.bind(UnixDomainSocketAddress.of(made.socket()));
      made.protect();
      listener.configureBlocking(false);
      selector = Selector.open();
      listener.register(selector, SelectionKey.OP_ACCEPT);
    } catch (IOException | RuntimeException e) {
      listener.close();
      if (made != null) {
        made.close();
      }
      throw e;
    }
    directory = made;
    thread = new Thread(this::run, "tfos-unix-accept-" + me.rank());
    thread.setDaemon(true);
    thread.start();
  }

  String path() {
    return directory.socket().toString();
  }

  private void run() {
    try {
      while (selector.isOpen()) {
        long wait = halfOpen.isEmpty() ? 0 : TimeUnit.SECONDS.toMillis(1);
        int unused = selector.select(this::ready, wait);
        handOver();
        expire();
      }
    } catch (ClosedSelectorException e) {
      LOG.trace("Closed", e);
    } catch (IOException | RuntimeException e) {
      LOG.error("The Unix socket of {} takes no more connections", me, e);
    } finally {
      halfOpen.keySet().forEach(UnixServer::discard);
    }
  }

  private void ready(SelectionKey key) {
    if (key.isAcceptable()) {
      accept();
    } else if (key.isValid()) {
      advance(key, (SocketChannel) key.channel());
    }
  }

  private void accept() {
    try {
      SocketChannel channel = listener.accept();
      if (channel == null) {
        return;
      }
      if (halfOpen.size() >= PeerGuard.MAX_HALF_OPEN) {
        refusals.refused("a Unix socket", "too many connections that have not authenticated");
        discard(channel);
        return;
      }
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      halfOpen.put(channel, new ServerHandshake(me, channel));
    } catch (ClosedChannelException e) {
      LOG.trace("Closed", e);
    } catch (IOException e) {
      refusals.refused("a Unix socket", e.toString());
    }
  }

  private void advance(SelectionKey key, SocketChannel channel) {
    ServerHandshake handshake = halfOpen.get(channel);
    if (handshake == null) {
      return;
    }
    try {
      Hello peer = handshake.advance();
      if (peer == null) {
        return;
      }
      halfOpen.remove(channel);
      key.cancel();
      admitted.put(channel, peer);
    } catch (IOException | RuntimeException e) {
      refuse(channel, String.valueOf(e.getMessage()));
    }
  }

  private void handOver() throws IOException {
    if (admitted.isEmpty()) {
      return;
    }
    // The links have selectors of their own: this one must forget their channels first.
    int unused = selector.selectNow(this::ready);
    for (Map.Entry<SocketChannel, Hello> entry : admitted.entrySet()) {
      Hello peer = entry.getValue();
      try {
        UnixConnector.offer(me, links, peer.rank(), peer.channel(), entry.getKey());
      } catch (IOException e) {
        refuse(entry.getKey(), e.toString());
      }
    }
    admitted.clear();
  }

  private void expire() {
    for (Map.Entry<SocketChannel, ServerHandshake> entry : Map.copyOf(halfOpen).entrySet()) {
      if (entry.getValue().expired()) {
        refuse(entry.getKey(), "it did not authenticate in time");
      }
    }
  }

  private void refuse(SocketChannel channel, String why) {
    halfOpen.remove(channel);
    refusals.refused("a Unix socket", why);
    discard(channel);
  }

  private static void discard(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("While closing a refused connection", e);
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      selector.close();
      thread.join(TimeUnit.SECONDS.toMillis(5));
    } catch (IOException e) {
      LOG.debug("While closing the Unix socket", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      directory.close();
    }
  }
}
