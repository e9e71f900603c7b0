/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of processes that are no ranks. */
class RequestClientTest {
  @TempDir Path scratch;

  private static RequestClient client(Nodes nodes, int attempt, int secret, boolean encrypt) {
    return RequestClient.connect(
        nodes.roster.get(0),
        Membership.guest(Nodes.CLUSTER, attempt, Nodes.secret(secret)),
        Nodes.settings(TransportMode.AUTO, encrypt).withMaxMessageBytes(32 << 20),
        Nodes.soon());
  }

  private Nodes node(RpcService service, boolean encrypt) {
    return new Nodes(
        1,
        scratch,
        Nodes.settings(TransportMode.AUTO, encrypt).withMaxMessageBytes(32 << 20),
        service);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void answersMessagesOfAllSizesAndAnyContent(boolean encrypt) {
    try (Nodes nodes = node(request -> request, encrypt);
        RequestClient client = client(nodes, Nodes.ATTEMPT, 1, encrypt)) {
      for (int size : new int[] {0, 1, 1000, 1 << 20, 32 << 20}) {
        ByteBuffer message = Nodes.random(size, size);
        assertThat(client.request(message, Nodes.soon())).isEqualTo(message);
        assertThat(message.position()).isZero();
      }
      // The first bytes of Spark's own authentication records.
      for (int first : new int[] {0xea, 0xeb, 0xfb}) {
        ByteBuffer message = ByteBuffer.wrap(new byte[] {(byte) first, 1, 2});
        assertThat(client.request(message, Nodes.soon())).isEqualTo(message);
      }
    }
  }

  @Test
  void aFailureOfTheHandlerComesBackAsText() {
    RpcService failing =
        request -> {
          throw new IllegalStateException("no such feed");
        };
    try (Nodes nodes = node(failing, false);
        RequestClient client = client(nodes, Nodes.ATTEMPT, 1, false)) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> client.request(ByteBuffer.allocate(1), Nodes.soon()))
            .hasMessageContaining(TransportError.REQUEST_FAILED.code())
            .hasMessageContaining(
                "Rank 0 failed to answer a feed task:"
                    + " java.lang.IllegalStateException: no such feed");
      }
    }
  }

  @Test
  void aMessageOverTheCapIsRefusedBeforeItIsSent() {
    try (Nodes nodes = node(request -> request, false);
        RequestClient client = client(nodes, Nodes.ATTEMPT, 1, false)) {
      ByteBuffer large = ByteBuffer.allocate((32 << 20) + 1);
      assertThatThrownBy(() -> client.request(large, Nodes.soon()))
          .hasMessageContaining(TransportError.MESSAGE_TOO_LARGE.code());
      assertThat(client.request(ByteBuffer.allocate(3), Nodes.soon()).remaining()).isEqualTo(3);
    }
  }

  @Test
  void strangersAreRefused() {
    try (Nodes nodes = node(request -> request, false)) {
      assertThatThrownBy(() -> client(nodes, Nodes.ATTEMPT, 2, false))
          .hasMessageContaining(TransportError.NOT_AUTHENTICATED.code());
      assertThatThrownBy(() -> client(nodes, 8, 1, false))
          .hasMessageContaining(TransportError.WRONG_CLUSTER.code())
          .hasMessageContaining("attempt 8");
      assertThat(nodes.transports.get(0).refusedConnections()).isEqualTo(2);
    }
  }

  @Test
  void aBlockedHandlerHoldsOnlyItsOwnRequest() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(2);
    CountDownLatch go = new CountDownLatch(1);
    RpcService service =
        request -> {
          if (request.get(0) == 1) {
            entered.countDown();
            go.await();
          }
          return request;
        };
    try (Nodes nodes = node(service, false);
        RequestClient client = client(nodes, Nodes.ATTEMPT, 1, false)) {
      List<Future<ByteBuffer>> held = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        held.add(nodes.start(() -> client.request(ByteBuffer.wrap(new byte[] {1}), Nodes.soon())));
      }
      assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
      ByteBuffer free = ByteBuffer.wrap(new byte[] {2});
      assertThat(client.request(free, Nodes.soon())).isEqualTo(free);
      assertThat(held).noneMatch(Future::isDone);
      go.countDown();
      held.forEach(future -> assertThat(Nodes.get(future).get(0)).isEqualTo((byte) 1));
    }
  }

  @Test
  void aDeadlineAndANodeThatClosesEndTheWait() {
    CountDownLatch never = new CountDownLatch(1);
    RpcService service =
        request -> {
          never.await();
          return request;
        };
    try (Nodes nodes = node(service, false)) {
      try (RequestClient client = client(nodes, Nodes.ATTEMPT, 1, false)) {
        Deadline deadline = Deadline.after(Duration.ofMillis(200));
        assertThatThrownBy(() -> client.request(ByteBuffer.allocate(1), deadline))
            .hasMessageContaining(TransportError.TIMED_OUT.code())
            .hasMessageContaining("A feed task waited 0.2 s for rank 0 to answer a request");
      }
      try (RequestClient client = client(nodes, Nodes.ATTEMPT, 1, false)) {
        Future<ByteBuffer> waiting =
            nodes.start(() -> client.request(ByteBuffer.allocate(1), Nodes.soon()));
        nodes.transports.get(0).close();
        assertThatThrownBy(() -> Nodes.get(waiting)).hasMessageContaining("rank 0");
      }
    }
  }
}
