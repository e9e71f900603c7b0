/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/** The connecting side of {@link Handshake}. Blocks the calling thread up to its deadline. */
final class UnixConnector {
  private static final int SEND_BUFFER = 4 << 20;

  private final Membership me;
  private final NodeAddress peer;
  private final Deadline deadline;
  private final SocketChannel channel;
  private final Selector selector;

  private UnixConnector(
      Membership me,
      NodeAddress peer,
      Deadline deadline,
      SocketChannel channel,
      Selector selector) {
    this.me = me;
    this.peer = peer;
    this.deadline = deadline;
    this.channel = channel;
    this.selector = selector;
  }

  /**
   * Opens a channel to a peer.
   *
   * @throws IOException when the socket cannot be reached from here
   * @throws TfosException when it was reached and refused, or timed out
   */
  static Link connect(
      Membership me, NodeAddress peer, String name, LinkTable links, Deadline deadline)
      throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    boolean done = false;
    try {
      channel.connect(UnixDomainSocketAddress.of(peer.unixPath()));
      channel.configureBlocking(false);
      try (Selector selector = Selector.open()) {
        channel.register(selector, SelectionKey.OP_READ);
        try {
          new UnixConnector(me, peer, deadline, channel, selector).shakeHands(name);
        } catch (IOException e) {
          throw Failures.lost(me, peer.rank(), "to authenticate", e);
        }
      }
      Link link = link(me, links, peer.rank(), name, channel);
      done = true;
      return link;
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  static void offer(Membership me, LinkTable links, int rank, String name, SocketChannel channel)
      throws IOException {
    links.offer(link(me, links, rank, name, channel));
  }

  private static Link link(
      Membership me, LinkTable links, int rank, String name, SocketChannel channel)
      throws IOException {
    // Twice the default where the system allows no more: fewer switches between the two ranks.
    channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
    AtomicReference<@Nullable Link> self = new AtomicReference<>();
    Link link =
        new NioLink(
            me,
            rank,
            name,
            "unix",
            channel,
            null,
            () -> {
              Link closed = self.get();
              if (closed != null) {
                links.forget(closed);
              }
            });
    self.set(link);
    return link;
  }

  private void shakeHands(String name) throws IOException {
    ByteBuffer ours = Handshake.record(Hello.of(me, peer.rank(), name), 0).flip();
    send(ours.duplicate());
    ByteBuffer theirs = ByteBuffer.allocate(Handshake.MAX_RECORD);
    read(theirs.limit(Handshake.HEADER_BYTES));
    if (!Handshake.magic(theirs)) {
      throw new IOException("The socket speaks another protocol");
    }
    if (Handshake.version(theirs) != Hello.VERSION) {
      throw Hello.versions("Rank " + peer.rank(), Handshake.version(theirs));
    }
    int length = Handshake.length(theirs);
    if (length < Handshake.MAC_BYTES) {
      throw new IOException("The answer has an impossible length");
    }
    int end = Handshake.HEADER_BYTES + length;
    read(theirs.limit(end));
    theirs.flip();
    ByteBuffer signed = theirs.duplicate().limit(end - Handshake.MAC_BYTES);
    byte[] expected = Handshake.mac(me, "server", ours, signed);
    if (!Handshake.same(expected, theirs.duplicate().position(end - Handshake.MAC_BYTES))) {
      throw notAuthenticated(me, peer, null);
    }
    send(ByteBuffer.wrap(Handshake.mac(me, "client", ours, theirs)));
    ByteBuffer verdict = ByteBuffer.allocate(3);
    read(verdict.limit(1));
    int code = verdict.get(0);
    if (code != 0) {
      read(verdict.limit(3));
      int size = Math.min(1000, Math.max(0, verdict.getShort(1)));
      ByteBuffer text = ByteBuffer.allocate(size);
      read(text);
      throw Hello.Verdict.failure(code, StandardCharsets.UTF_8.decode(text.flip()).toString());
    }
  }

  static TfosException notAuthenticated(
      Membership me, NodeAddress peer, @Nullable Throwable cause) {
    return new TfosException(
        TransportError.NOT_AUTHENTICATED,
        "The process at the address of rank "
            + peer.rank()
            + " ("
            + peer.host()
            + ") and "
            + me.name()
            + " do not share the secret of cluster '"
            + me.clusterId()
            + "'",
        "It belongs to another cluster, or its address is out of date.",
        cause);
  }

  private void send(ByteBuffer data) throws IOException {
    int unused = channel.write(data);
    if (data.hasRemaining()) {
      throw new IOException("The socket takes no data");
    }
  }

  private void read(ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      int n = channel.read(into);
      if (n < 0) {
        // A server that cannot verify the proof just closes.
        throw notAuthenticated(me, peer, null);
      }
      if (n == 0) {
        long left = deadline.remainingNanos();
        if (left <= 0) {
          throw Failures.timedOut(me, peer.rank(), deadline, "to authenticate over unix");
        }
        int unused = selector.select(k -> {}, Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        if (Thread.currentThread().isInterrupted()) {
          throw Failures.aborted(
              me, "rank " + peer.rank(), new InterruptedException("interrupted"));
        }
      }
    }
  }
}
