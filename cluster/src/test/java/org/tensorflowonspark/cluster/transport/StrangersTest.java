/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.sasl.SaslClientBootstrap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What those get who are no members: nothing; and members do not notice. */
@SuppressWarnings("NullAway.Init")
class StrangersTest {
  @TempDir Path scratch;

  private Nodes nodes;

  @BeforeEach
  void start() {
    nodes = new Nodes(2, scratch, Nodes.settings(TransportMode.AUTO, false), RpcService.none());
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private SocketAddress target(String transport) {
    NodeAddress node = nodes.roster.get(0);
    return transport.equals("unix")
        ? UnixDomainSocketAddress.of(node.unixPath())
        : new InetSocketAddress(node.host(), node.tcpPort());
  }

  private static ByteBuffer garbage(int i) {
    byte[] bytes =
        switch (i % 5) {
          case 0 -> "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
          case 1 -> new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3, 9, 9, 9, 9};
          case 2 -> random(1 << 20, i);
          case 3 -> random(64, i);
          default -> new byte[] {0, 0, 0, 0, 0x7f, -1, -1, -1, 3, 0, 0, 0};
        };
    return ByteBuffer.wrap(bytes);
  }

  private static byte[] random(int size, int seed) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Sends what the other side takes and waits until it closes; whether it did in time. */
  private static boolean isClosed(SocketChannel channel, ByteBuffer data, int seconds)
      throws IOException {
    channel.configureBlocking(false);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    try (Selector selector = Selector.open()) {
      SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
      while (System.nanoTime() < end) {
        if (data.hasRemaining()) {
          key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
          int unused = channel.write(data);
        } else {
          key.interestOps(SelectionKey.OP_READ);
        }
        if (channel.read(ByteBuffer.allocate(4096)) < 0) {
          return true;
        }
        int unused = selector.select(k -> {}, 200);
      }
      return false;
    } catch (IOException e) {
      // Reset or broken pipe.
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"unix", "tcp"})
  void garbageIsClosedCountedAndHarmless(String transport) throws IOException {
    Link[] ends = nodes.pair(1, 0, "members");
    for (int i = 0; i < 200; i++) {
      try (SocketChannel stranger = SocketChannel.open(target(transport))) {
        // A hello cut short is waited for: the stranger goes away by himself.
        if (i % 5 != 4 && i % 5 != 1) {
          assertThat(isClosed(stranger, garbage(i), 10)).as("stranger %d", i).isTrue();
        } else {
          int unused = stranger.write(garbage(i));
        }
      }
      ends[0].startSend(Nodes.random(100, i));
      ByteBuffer into = ByteBuffer.allocate(100);
      ends[1].receive(into, Nodes.soon());
      assertThat(into.flip()).isEqualTo(Nodes.random(100, i));
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (nodes.transports.get(0).refusedConnections() < 200 && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertThat(nodes.transports.get(0).refusedConnections()).isEqualTo(200);
    assertThat(nodes.pair(1, 0, "later")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"unix", "tcp"})
  void silentStrangersHold64PlacesForFiveSecondsAtMost(String transport) throws IOException {
    List<SocketChannel> strangers = new ArrayList<>();
    try {
      long start = System.nanoTime();
      for (int i = 0; i < PeerGuard.MAX_HALF_OPEN + 20; i++) {
        strangers.add(SocketChannel.open(target(transport)));
      }
      while (nodes.transports.get(0).refusedConnections() < 20
          && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(4)) {
        Thread.onSpinWait();
      }
      // Those over the limit went at once, not when the five seconds were over.
      assertThat(nodes.transports.get(0).refusedConnections()).isEqualTo(20);
      for (SocketChannel stranger : strangers) {
        assertThat(isClosed(stranger, ByteBuffer.allocate(0), 8)).isTrue();
      }
      assertThat(nodes.pair(1, 0, "members")).hasSize(2);
    } finally {
      for (SocketChannel stranger : strangers) {
        stranger.close();
      }
    }
  }

  @Test
  void unixRefusesAnotherVersionNamingBoth() throws IOException {
    try (SocketChannel peer = SocketChannel.open(target("unix"))) {
      ByteBuffer hello = Handshake.record(new Hello(Nodes.CLUSTER, Nodes.ATTEMPT, 1, 0, "ring"), 0);
      hello.putShort(4, (short) 99).flip();
      int unused = peer.write(hello);
      ByteBuffer answer = ByteBuffer.allocate(Handshake.HEADER_BYTES);
      while (answer.hasRemaining() && peer.read(answer) >= 0) {
        Thread.onSpinWait();
      }
      assertThat(Handshake.version(answer)).isEqualTo(Hello.VERSION);
      assertThat(isClosed(peer, ByteBuffer.allocate(0), 5)).isTrue();
    }
    assertThat(Hello.versions("Rank 0", 99))
        .hasMessageContaining("version 99")
        .hasMessageContaining("version 1");
  }

  @Test
  void tcpRefusesAnotherVersionNamingBoth() throws IOException, InterruptedException {
    Membership me = Membership.node(Nodes.CLUSTER, Nodes.ATTEMPT, 1, Nodes.secret(1));
    try (GuardedContext context =
            new GuardedContext(Nodes.settings(TransportMode.TCP, false), new Refusals("test"));
        TransportClientFactory factory =
            context.createClientFactory(
                List.of(
                    new SaslClientBootstrap(
                        context.getConf(), GuardedContext.user(me), GuardedContext.keys(me))))) {
      NodeAddress node = nodes.roster.get(0);
      TransportClient client = factory.createUnmanagedClient(node.host(), node.tcpPort());
      ByteBuffer hello = TcpSession.hello(TcpSession.HELLO_LINK, Hello.of(me, 0, "ring"));
      hello.putShort(1, (short) 99);
      ByteBuffer answer = client.sendRpcSync(hello, 5_000);
      assertThat(answer.get()).isEqualTo((byte) TransportError.WRONG_VERSION.number());
      assertThat(StandardCharsets.UTF_8.decode(answer.position(3)).toString())
          .contains("version 99", "version 1");
    }
  }

  @Test
  void aReplayedHandshakeIsRefused() throws IOException {
    Membership me = Membership.node(Nodes.CLUSTER, Nodes.ATTEMPT, 1, Nodes.secret(1));
    ByteBuffer hello = Handshake.record(Hello.of(me, 0, "ring"), 0).flip();
    byte[] proof = new byte[0];
    for (int round = 0; round < 2; round++) {
      try (SocketChannel peer = SocketChannel.open(target("unix"))) {
        int unused = peer.write(hello.duplicate());
        ByteBuffer theirs = ByteBuffer.allocate(Handshake.MAX_RECORD);
        theirs.limit(Handshake.HEADER_BYTES);
        readFully(peer, theirs);
        theirs.limit(Handshake.HEADER_BYTES + Handshake.length(theirs));
        readFully(peer, theirs);
        if (round == 0) {
          proof = Handshake.mac(me, "client", hello, theirs.flip());
        }
        int ignored = peer.write(ByteBuffer.wrap(proof));
        ByteBuffer verdict = ByteBuffer.allocate(1);
        int n = peer.read(verdict);
        assertThat(n).isEqualTo(round == 0 ? 1 : -1);
      }
    }
  }

  private static void readFully(SocketChannel channel, ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      assertThat(channel.read(into)).isNotNegative();
    }
  }

  @Test
  void theSocketIsPrivate() throws IOException {
    Path socket = Path.of(nodes.roster.get(0).unixPath());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void aScratchPathTooLongForASocketIsReplaced() {
    Path deep = scratch.resolve("x".repeat(100));
    assertThat(deep.toFile().mkdirs()).isTrue();
    try (Nodes others =
        new Nodes(2, deep, Nodes.settings(TransportMode.UNIX, false), RpcService.none())) {
      assertThat(others.pair(0, 1, "a")[0].transportName()).isEqualTo("unix");
      assertThat(others.roster.get(0).unixPath()).doesNotStartWith(deep.toString());
    }
  }

  @Test
  void anotherHostIsReachedByTcpAndAutoFallsBackToIt() {
    NodeAddress real = nodes.roster.get(1);
    NodeAddress far = new NodeAddress(1, real.host(), "elsewhere", real.tcpPort(), real.unixPath());
    NodeAddress gone =
        new NodeAddress(1, real.host(), real.hostId(), real.tcpPort(), scratch + "/none");
    NodeTransport transport = nodes.transports.get(0);
    assertThat(transport.connect(far, "a", Nodes.soon()).transportName()).isEqualTo("tcp");
    assertThat(transport.connect(gone, "b", Nodes.soon()).transportName()).isEqualTo("tcp");
    assertThat(transport.connect(real, "c", Nodes.soon()).transportName()).isEqualTo("unix");
  }

  @Test
  void aPortWhereNobodyListensIsAnErrorThatNamesTheRank() {
    NodeAddress nobody = new NodeAddress(1, "127.0.0.1", "elsewhere", 1, "");
    assertThatThrownBy(() -> nodes.transports.get(0).connect(nobody, "a", Nodes.soon()))
        .hasMessageContaining(TransportError.CONNECT_FAILED.code())
        .hasMessageContaining("rank 1 at 127.0.0.1:1");
  }
}
