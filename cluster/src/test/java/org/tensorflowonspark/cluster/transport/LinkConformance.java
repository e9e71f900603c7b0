/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.base.TfosException;

/** What every transport must do, the same way. */
abstract class LinkConformance {
  @TempDir Path scratch;

  private final TransportMode mode;
  private final boolean encrypt;
  private final String name;

  LinkConformance(TransportMode mode, boolean encrypt, String name) {
    this.mode = mode;
    this.encrypt = encrypt;
    this.name = name;
  }

  private TransportSettings settings() {
    return Nodes.settings(mode, encrypt);
  }

  private Nodes nodes(int count) {
    return new Nodes(count, scratch, settings(), RpcService.none());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4097, 1 << 20, 40 << 20})
  void carriesEverySizeUnchanged(int size) {
    try (Nodes nodes = nodes(2)) {
      Link[] ends = nodes.pair(0, 1, "a");
      ByteBuffer sent = Nodes.random(size, size);
      Future<ByteBuffer> received =
          nodes.start(
              () -> {
                ByteBuffer into = ByteBuffer.allocateDirect(size);
                ends[1].receive(into, Nodes.soon());
                return into.flip();
              });
      ends[0].startSend(sent);
      ends[0].finishSend(Nodes.soon());
      assertThat(Nodes.get(received)).isEqualTo(sent);
      assertThat(sent.position()).isZero();
      assertThat(ends[0].transportName()).isEqualTo(name);
      assertThat(ends[0].peerRank()).isEqualTo(1);
      assertThat(ends[1].peerRank()).isZero();
    }
  }

  @Test
  void keepsTheOrderOfManyPieces() {
    try (Nodes nodes = nodes(2)) {
      Link[] ends = nodes.pair(1, 0, "pieces");
      ByteBuffer all = Nodes.random(300_000, 5);
      Future<Object> sender =
          nodes.start(
              () -> {
                for (int at = 0, n = 1; at < all.capacity(); at += n, n = n % 997 + 1) {
                  ends[0].startSend(all.slice(at, Math.min(n, all.capacity() - at)));
                }
                ends[0].finishSend(Nodes.soon());
                return "";
              });
      ByteBuffer into = ByteBuffer.allocateDirect(all.capacity());
      for (int n = 1; into.hasRemaining(); n = n % 4999 + 1) {
        ByteBuffer part = into.slice(into.position(), Math.min(n, into.remaining()));
        ends[1].receive(part, Nodes.soon());
        into.position(into.position() + part.capacity());
      }
      Nodes.get(sender);
      assertThat(into.flip()).isEqualTo(all);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bothSidesMaySendFirst(boolean finishBeforeReceiving) {
    int size = 40 << 20;
    try (Nodes nodes = nodes(2)) {
      Link[] ends = nodes.pair(0, 1, "both");
      List<Future<ByteBuffer>> results = new ArrayList<>();
      for (Link end : ends) {
        results.add(
            nodes.start(
                () -> {
                  end.startSend(Nodes.random(size, end.peerRank()));
                  if (finishBeforeReceiving) {
                    end.finishSend(Nodes.soon());
                  }
                  ByteBuffer into = ByteBuffer.allocateDirect(size);
                  end.receive(into, Nodes.soon());
                  end.finishSend(Nodes.soon());
                  return into.flip();
                }));
      }
      assertThat(Nodes.get(results.get(0))).isEqualTo(Nodes.random(size, 0));
      assertThat(Nodes.get(results.get(1))).isEqualTo(Nodes.random(size, 1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void everyPairTalks(int count) {
    try (Nodes nodes = nodes(count)) {
      for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
          if (a != b) {
            Link[] ends = nodes.pair(a, b, "pair");
            ends[1].startSend(Nodes.random(100, a * 10 + b));
            ByteBuffer into = ByteBuffer.allocate(100);
            ends[0].receive(into, Nodes.soon());
            assertThat(into.flip()).isEqualTo(Nodes.random(100, a * 10 + b));
          }
        }
      }
    }
  }

  @Test
  void theAcceptingSideMaySpeakBeforeTheOtherKnowsItsLink() {
    try (Nodes nodes = nodes(2)) {
      for (int i = 0; i < 60; i++) {
        String channel = "c" + i;
        ByteBuffer words = Nodes.random(60_000, i);
        Future<Link> accepted =
            nodes.start(
                () -> {
                  Link link = nodes.transports.get(1).accept(0, channel, Nodes.soon());
                  link.startSend(words);
                  link.finishSend(Nodes.soon());
                  return link;
                });
        Link link = nodes.transports.get(0).connect(nodes.roster.get(1), channel, Nodes.soon());
        ByteBuffer into = ByteBuffer.allocate(words.capacity());
        link.receive(into, Nodes.soon());
        assertThat(into.flip()).isEqualTo(words);
        Nodes.get(accepted).close();
        link.close();
      }
    }
  }

  @Test
  void aSlowPeerIsWaitedForWhileItMakesProgress() {
    try (Nodes nodes = nodes(2)) {
      Link[] ends = nodes.pair(0, 1, "slow");
      Future<Object> slow =
          nodes.start(
              () -> {
                for (int i = 0; i < 20; i++) {
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                  ends[0].startSend(Nodes.random(10, i));
                }
                return "";
              });
      ByteBuffer into = ByteBuffer.allocate(200);
      ends[1].receive(into, Deadline.withoutProgress(Duration.ofSeconds(1)));
      assertThat(into.hasRemaining()).isFalse();
      Nodes.get(slow);
    }
  }

  @Test
  void aPeerThatClosesIsNoticedAtOnce() throws InterruptedException {
    try (Nodes nodes = nodes(2)) {
      Link[] ends = nodes.pair(0, 1, "dies");
      CountDownLatch waiting = new CountDownLatch(1);
      Future<Object> waiter =
          nodes.start(
              () -> {
                ByteBuffer one = ByteBuffer.allocate(1);
                ends[1].receive(one, Nodes.soon());
                waiting.countDown();
                ends[1].receive(ByteBuffer.allocate(100), Nodes.soon());
                return "";
              });
      ends[0].startSend(Nodes.random(50, 1));
      ends[0].finishSend(Nodes.soon());
      assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
      long start = System.nanoTime();
      nodes.transports.get(0).close();
      assertThatThrownBy(() -> Nodes.get(waiter))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining(TransportError.PEER_LOST.code())
          .hasMessageContaining("lost rank 0")
          .hasMessageContaining("(49 arrived)");
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
    }
  }

  @Test
  void aDeadlineNamesTheRankTheTimeAndWhatArrived() {
    try (Nodes nodes = nodes(2)) {
      Link[] ends = nodes.pair(0, 1, "late");
      ends[0].startSend(Nodes.random(7, 7));
      Deadline deadline = Deadline.after(Duration.ofMillis(300));
      assertThatThrownBy(() -> ends[1].receive(ByteBuffer.allocate(100), deadline))
          .hasMessageContaining(TransportError.TIMED_OUT.code())
          .hasMessageContaining("Rank 1 waited 0.3 s for rank 0")
          .hasMessageContaining("100 bytes (7 arrived) on channel 'late' over " + name);
      Deadline accept = Deadline.after(Duration.ofMillis(50));
      assertThatThrownBy(() -> nodes.transports.get(1).accept(0, "never", accept))
          .hasMessageContaining("Rank 1 waited 0.05 s for rank 0 to open channel 'never'");
    }
  }

  @Test
  void aSenderThatNobodyReadsFromMeetsItsDeadline() {
    try (Nodes nodes = nodes(2)) {
      Link[] ends = nodes.pair(0, 1, "full");
      ends[0].startSend(Nodes.random(64 << 20, 7));
      Deadline deadline = Deadline.withoutProgress(Duration.ofMillis(500));
      assertThatThrownBy(() -> ends[0].finishSend(deadline))
          .hasMessageContaining(TransportError.TIMED_OUT.code())
          .hasMessageContaining("for rank 1 to take data");
    }
  }

  @Test
  void abortWakesEveryWaiterWithItsCause() {
    try (Nodes nodes = nodes(2)) {
      Link[] ends = nodes.pair(0, 1, "aborted");
      Future<Object> receiver =
          nodes.start(
              () -> {
                ends[1].receive(ByteBuffer.allocate(100), Nodes.soon());
                return "";
              });
      Future<Link> acceptor =
          nodes.start(() -> nodes.transports.get(1).accept(0, "never", Nodes.soon()));
      long start = System.nanoTime();
      IllegalStateException cause = new IllegalStateException("first cause");
      nodes.transports.get(1).abort(cause);
      assertThatThrownBy(() -> Nodes.get(receiver))
          .hasMessageContaining(TransportError.ABORTED.code())
          .hasCause(cause);
      assertThatThrownBy(() -> Nodes.get(acceptor)).hasCause(cause);
      assertThatThrownBy(() -> ends[1].startSend(ByteBuffer.allocate(1))).hasCause(cause);
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
    }
  }

  @Test
  void closingALinkEndsItsOwnWait() {
    try (Nodes nodes = nodes(2)) {
      Link[] ends = nodes.pair(0, 1, "closed");
      Future<Object> receiver =
          nodes.start(
              () -> {
                ends[1].receive(ByteBuffer.allocate(100), Nodes.soon());
                return "";
              });
      ends[1].close();
      assertThatThrownBy(() -> Nodes.get(receiver))
          .hasMessageContaining(TransportError.CLOSED.code());
    }
  }

  private TfosException refused(String cluster, int attempt, int target, int secret) {
    try (Nodes nodes = nodes(1);
        NodeTransport stranger =
            NodeTransport.open(
                Membership.node(cluster, attempt, 1, Nodes.secret(secret)),
                "127.0.0.1",
                scratch,
                settings(),
                RpcService.none())) {
      NodeAddress real = nodes.roster.get(0);
      NodeAddress aim =
          new NodeAddress(target, real.host(), real.hostId(), real.tcpPort(), real.unixPath());
      TfosException failure =
          catchThrowableOfType(
              TfosException.class, () -> stranger.connect(aim, "ring", Nodes.soon()));
      assertThatThrownBy(
              () ->
                  nodes.transports.get(0).accept(1, "ring", Deadline.after(Duration.ofMillis(100))))
          .hasMessageContaining(TransportError.TIMED_OUT.code());
      assertThat(nodes.transports.get(0).refusedConnections()).isEqualTo(1);
      return failure;
    }
  }

  @Test
  void refusesAnotherSecret() {
    assertThat(refused(Nodes.CLUSTER, Nodes.ATTEMPT, 0, 2).code())
        .isEqualTo(TransportError.NOT_AUTHENTICATED.code());
  }

  @Test
  void refusesAnotherAttemptAndSaysWhich() {
    assertThat(refused(Nodes.CLUSTER, 2, 0, 1))
        .hasMessageContaining(TransportError.WRONG_CLUSTER.code())
        .hasMessageContaining("attempt 2")
        .hasMessageContaining("attempt 3");
  }

  @Test
  void refusesAConnectionMeantForAnotherRank() {
    assertThat(refused(Nodes.CLUSTER, Nodes.ATTEMPT, 5, 1))
        .hasMessageContaining(TransportError.WRONG_CLUSTER.code())
        .hasMessageContaining("rank 5");
  }

  @Test
  void refusesAnotherCluster() {
    // Over TCP the cluster is part of what Spark's protocol authenticates.
    assertThat(refused("other-cluster", Nodes.ATTEMPT, 0, 1).code())
        .isIn(TransportError.WRONG_CLUSTER.code(), TransportError.NOT_AUTHENTICATED.code());
  }

  @Test
  void leavesNoThreadsAndNoFiles() {
    try (Nodes nodes = nodes(3)) {
      Link[] ends = nodes.pair(0, 1, "x");
      ends[0].startSend(Nodes.random(10, 1));
      Link[] unused = nodes.pair(2, 1, "y");
      assertThat(tfosThreads()).isNotEmpty();
    }
    assertThat(scratch.toFile().list()).isEmpty();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!tfosThreads().isEmpty() && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    assertThat(tfosThreads()).isEmpty();
  }

  private static List<String> tfosThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(n -> n.startsWith("tfos-"))
        .toList();
  }
}
