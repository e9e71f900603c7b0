/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The accepting side of {@link Handshake}, fed as bytes arrive. Used by the accept thread only. */
final class ServerHandshake {
  private final Membership me;
  private final SocketChannel channel;
  private final Deadline deadline = Deadline.after(Duration.ofMillis(PeerGuard.TIMEOUT_MILLIS));
  private final ByteBuffer in = ByteBuffer.allocate(Handshake.MAX_RECORD);
  private @Nullable Hello peer;
  private byte[] expected = new byte[0];

  ServerHandshake(Membership me, SocketChannel channel) {
    this.me = me;
    this.channel = channel;
    in.limit(Handshake.HEADER_BYTES);
  }

  boolean expired() {
    return deadline.expired();
  }

  /** Goes as far as the bytes allow; the peer once it is authenticated and admitted, else null. */
  @Nullable Hello advance() throws IOException {
    while (true) {
      if (channel.read(in) < 0) {
        throw new IOException("it closed before it authenticated");
      }
      if (in.hasRemaining()) {
        return null;
      }
      if (peer != null) {
        return finish(peer);
      }
      if (in.limit() == Handshake.HEADER_BYTES) {
        in.limit(Handshake.HEADER_BYTES + checkHeader());
      } else {
        answer();
      }
    }
  }

  private int checkHeader() throws IOException {
    if (!Handshake.magic(in)) {
      throw new IOException("it speaks another protocol");
    }
    if (Handshake.version(in) != Hello.VERSION) {
      send(Handshake.versionOnly());
      throw new IOException(
          "it speaks version " + Handshake.version(in) + ", this node " + Hello.VERSION);
    }
    int length = Handshake.length(in);
    if (length < 0) {
      throw new IOException("its hello has an impossible length");
    }
    return length;
  }

  private void answer() throws IOException {
    ByteBuffer theirs = in.duplicate().flip();
    Hello hello = Hello.decode(in.duplicate().flip().position(Handshake.HEADER_BYTES));
    if (hello == null) {
      throw new IOException("its hello cannot be read");
    }
    ByteBuffer ours =
        Handshake.record(Hello.of(me, hello.rank(), hello.channel()), Handshake.MAC_BYTES);
    ours.put(Handshake.mac(me, "server", theirs, ours.duplicate().flip()));
    ours.flip();
    expected = Handshake.mac(me, "client", theirs, ours);
    send(ours.duplicate());
    peer = hello;
    in.clear().limit(Handshake.MAC_BYTES);
  }

  private Hello finish(Hello hello) throws IOException {
    if (!Handshake.same(expected, in.flip())) {
      throw new IOException("it does not know the cluster's secret");
    }
    ByteBuffer verdict = ByteBuffer.allocate(Hello.Verdict.MAX_BYTES);
    Hello.Verdict objection = hello.objection(me);
    if (objection != null) {
      objection.encode(verdict);
      send(verdict.flip());
      throw new IOException(objection.text());
    }
    send(verdict.put((byte) 0).flip());
    return hello;
  }

  /** The buffer of a new socket takes far more than a record; a peer that filled it is refused. */
  private void send(ByteBuffer data) throws IOException {
    int unused = channel.write(data);
    if (data.hasRemaining()) {
      throw new IOException("it does not read");
    }
  }
}
