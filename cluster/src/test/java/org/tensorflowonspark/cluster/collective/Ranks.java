/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.tensorflowonspark.cluster.transport.NodeAddress;
import org.tensorflowonspark.cluster.transport.NodeTransport;
import org.tensorflowonspark.cluster.transport.TransportMode;

/** The ranks of one cluster as threads of this process. */
final class Ranks implements AutoCloseable {
  final List<Collective> collectives = new ArrayList<>();
  private final List<NodeTransport> transports = new ArrayList<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "test-rank");
            thread.setDaemon(true);
            return thread;
          });

  Ranks(int count, TransportMode mode, boolean encrypt, Duration timeout) {
    List<NodeAddress> roster = new ArrayList<>();
    for (int rank = 0; rank < count; rank++) {
      transports.add(ChildRank.transport(rank, mode, encrypt));
      roster.add(transports.get(rank).address());
    }
    transports.forEach(t -> collectives.add(Collective.create(t, roster, timeout)));
  }

  /** What every rank returns, all running at the same time. */
  <T> List<T> all(Function<Collective, T> program) {
    List<Future<T>> running = new ArrayList<>();
    for (Collective collective : collectives) {
      running.add(threads.submit(() -> program.apply(collective)));
    }
    List<T> results = new ArrayList<>();
    running.forEach(future -> results.add(get(future)));
    return results;
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
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    collectives.forEach(Collective::close);
    transports.forEach(NodeTransport::close);
    threads.shutdownNow();
  }
}
