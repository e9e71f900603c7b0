/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Nodes of one cluster in this process, for tests. */
final class Nodes implements AutoCloseable {
  static final String CLUSTER = "test-cluster";
  static final int ATTEMPT = 3;
  static final Duration LONG = Duration.ofSeconds(60);

  final List<NodeTransport> transports = new ArrayList<>();
  final List<NodeAddress> roster = new ArrayList<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "test-rank");
            thread.setDaemon(true);
            return thread;
          });

  Nodes(int count, Path scratch, TransportSettings settings, RpcService service) {
    for (int rank = 0; rank < count; rank++) {
      transports.add(
          NodeTransport.open(
              Membership.node(CLUSTER, ATTEMPT, rank, secret(1)),
              "127.0.0.1",
              scratch,
              settings,
              service));
      roster.add(transports.get(rank).address());
    }
  }

  static TransportSettings settings(TransportMode mode, boolean encrypt) {
    return TransportSettings.of(Map.of("spark.network.crypto.enabled", "" + encrypt))
        .withMode(mode);
  }

  static byte[] secret(int seed) {
    byte[] secret = new byte[Membership.SECRET_BYTES];
    new Random(seed).nextBytes(secret);
    return secret;
  }

  static ByteBuffer random(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return ByteBuffer.allocateDirect(bytes).put(content).flip();
  }

  static Deadline soon() {
    return Deadline.after(LONG);
  }

  <T> Future<T> start(Callable<T> work) {
    return threads.submit(work);
  }

  static <T> T get(Future<T> future) {
    try {
      return future.get(90, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** Both ends of a new link from rank {@code from} to rank {@code to}. */
  Link[] pair(int from, int to, String channel) {
    Future<Link> other = start(() -> transports.get(to).accept(from, channel, soon()));
    Link mine = transports.get(from).connect(roster.get(to), channel, soon());
    return new Link[] {mine, get(other)};
  }

  @Override
  public void close() {
    transports.forEach(NodeTransport::close);
    threads.shutdownNow();
  }
}
