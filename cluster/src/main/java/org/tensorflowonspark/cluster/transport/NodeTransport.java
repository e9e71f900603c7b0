/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflowonspark.base.TfosException;

/**
 * The data plane of one node in one attempt of a cluster: listens on TCP and, where it can, on a
 * Unix socket, and opens links to other ranks. On executors; all methods are safe on any thread.
 * Open until closed; closing ends every link and request and frees sockets, directory and threads
 * (netty's own threads end within about two seconds).
 */
public final class NodeTransport implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeTransport.class);
  private static final int MAX_WORKERS = 256;

  private final Membership me;
  private final TransportSettings settings;
  private final Refusals refusals;
  private final LinkTable links;
  private final ExecutorService workers;
  private final GuardedContext context;
  private final TcpServer tcpServer;
  private final TcpConnector tcpConnector;
  private final @Nullable UnixServer unixServer;
  private final NodeAddress address;
  private final Set<String> announced = ConcurrentHashMap.newKeySet();
  private final Map<Long, CompletableFuture<Link>> connecting = new ConcurrentHashMap<>();
  private final AtomicLong connects = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();

  private NodeTransport(
      Membership me,
      String bindHost,
      Path scratch,
      TransportSettings settings,
      RpcService service) {
    this.me = me;
    this.settings = settings;
    refusals = new Refusals(me.toString());
    links = new LinkTable(me);
    workers = workers("tfos-requests-" + me.rank());
    context = new GuardedContext(settings, refusals);
    try {
      tcpServer = new TcpServer(context, bindHost, me, settings, links, service, workers);
    } catch (RuntimeException e) {
      workers.shutdownNow();
      context.close();
      throw bindFailed(bindHost, e);
    }
    tcpConnector = new TcpConnector(context, me, settings);
    unixServer = settings.mode() == TransportMode.TCP ? null : openUnix(scratch);
    address =
        new NodeAddress(
            me.rank(),
            bindHost,
            HostId.current(bindHost),
            tcpServer.port(),
            unixServer == null ? "" : unixServer.path());
  }

  /**
   * Starts to listen.
   *
   * @param me the node
   * @param bindHost the executor's Spark host; never a wildcard address
   * @param scratch directory for the Unix socket; another one is taken when its path is too long
   * @param settings choice of transport, caps and Spark's network settings
   * @param service what answers the requests of feed tasks
   * @throws TfosException {@link TransportError#BIND_FAILED}
   */
  public static NodeTransport open(
      Membership me,
      String bindHost,
      Path scratch,
      TransportSettings settings,
      RpcService service) {
    return new NodeTransport(me, bindHost, scratch, settings, service);
  }

  static ThreadPoolExecutor workers(String name) {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        MAX_WORKERS,
        10,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  private @Nullable UnixServer openUnix(Path scratch) {
    try {
      return new UnixServer(me, scratch, links, refusals);
    } catch (IOException | RuntimeException e) {
      LOG.info("No Unix socket for {}, TCP only: {}", me, e.toString());
      LOG.debug("Why there is no Unix socket", e);
      return null;
    }
  }

  private static TfosException bindFailed(String host, RuntimeException e) {
    return new TfosException(
        TransportError.BIND_FAILED,
        "Cannot listen on '" + host + "'",
        "It must be an address of this machine: see SPARK_LOCAL_IP and spark.driver.bindAddress.",
        e);
  }

  /** Where this node listens. */
  public NodeAddress address() {
    return address;
  }

  /**
   * Opens a link to a peer, which gets it by {@link #accept} under the same name. Blocks until the
   * peer's process has authenticated and taken it.
   *
   * @throws TfosException naming the rank: unreachable, refused, timed out, aborted or closed
   */
  public Link connect(NodeAddress peer, String channel, Deadline deadline) {
    links.checkUsable("rank " + peer.rank());
    Link link = unixLink(peer, channel, deadline);
    if (link == null) {
      link = tcpLink(peer, channel, deadline);
    }
    if (!links.register(link)) {
      links.checkUsable("rank " + peer.rank());
    }
    announce(link);
    return link;
  }

  /**
   * Takes the link that a peer opened to this node. Blocks until it does.
   *
   * @throws TfosException naming the rank: timed out, aborted or closed
   */
  public Link accept(int peerRank, String channel, Deadline deadline) {
    Link link = links.take(peerRank, channel, deadline);
    announce(link);
    return link;
  }

  private @Nullable Link unixLink(NodeAddress peer, String channel, Deadline deadline) {
    boolean here = peer.hostId().equals(address.hostId()) && !peer.unixPath().isEmpty();
    boolean forced = settings.mode() == TransportMode.UNIX;
    if (settings.mode() == TransportMode.TCP || (!here && !forced)) {
      return null;
    }
    try {
      return UnixConnector.connect(me, peer, channel, links, deadline);
    } catch (IOException e) {
      if (forced) {
        throw new TfosException(
            TransportError.CONNECT_FAILED,
            me.name() + " cannot reach the Unix socket of rank " + peer.rank(),
            "Set spark.tfos.transport to auto.",
            e);
      }
      LOG.info("No Unix socket to rank {}, taking TCP: {}", peer.rank(), e.toString());
      return null;
    }
  }

  private Link tcpLink(NodeAddress peer, String channel, Deadline deadline) {
    CompletableFuture<Link> result = new CompletableFuture<>();
    long id = connects.incrementAndGet();
    connecting.put(id, result);
    // Spark's connect cannot be told how long to wait, so another thread does it.
    Future<?> attempt = null;
    try {
      attempt = workers.submit(() -> connectTcp(peer, channel, result));
      return result.get(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw Failures.timedOut(
          me, peer.rank(), deadline, "to connect to " + TcpConnector.where(peer));
    } catch (ExecutionException e) {
      throw failed(peer, e.getCause());
    } catch (RejectedExecutionException e) {
      throw Failures.closed(me, peer.rank(), channel);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failures.aborted(me, "rank " + peer.rank(), e);
    } finally {
      connecting.remove(id);
      // A link that comes too late closes itself.
      boolean unused = result.cancel(false);
      if (attempt != null && !attempt.isDone()) {
        boolean ignored = attempt.cancel(true);
      }
    }
  }

  private void connectTcp(NodeAddress peer, String channel, CompletableFuture<Link> result) {
    try {
      CompletableFuture<Link> unused =
          tcpConnector
              .link(peer, channel, links)
              .whenComplete(
                  (link, failure) -> {
                    if (failure != null) {
                      boolean ignored = result.completeExceptionally(failure);
                    } else if (!result.complete(link)) {
                      link.close();
                    }
                  });
    } catch (RuntimeException e) {
      boolean unused = result.completeExceptionally(e);
    }
  }

  private TfosException failed(NodeAddress peer, @Nullable Throwable cause) {
    if (cause instanceof TfosException known) {
      return known;
    }
    return Failures.lost(me, peer.rank(), "to connect", cause);
  }

  private void announce(Link link) {
    if (announced.add(link.peerRank() + "/" + link.transportName())) {
      LOG.info("{} and rank {} talk over {}", me, link.peerRank(), link.transportName());
    }
  }

  /**
   * Ends every present and later wait of links, connects and accepts with this cause, at once.
   * Requests of feed tasks are not touched. Close is still needed.
   */
  public void abort(Throwable cause) {
    links.abort(cause);
    for (CompletableFuture<Link> waiting : connecting.values()) {
      boolean unused = waiting.completeExceptionally(Failures.aborted(me, "a peer", cause));
    }
  }

  /** How many connections were refused, whatever the reason. */
  public long refusedConnections() {
    return refusals.count();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    links.close();
    TfosException end = new TfosException(TransportError.CLOSED, "The transport is closed", "");
    connecting.values().forEach(waiting -> waiting.completeExceptionally(end));
    if (unixServer != null) {
      unixServer.close();
    }
    tcpServer.close();
    tcpConnector.close();
    workers.shutdownNow();
    context.close();
    awaitWorkers();
  }

  private void awaitWorkers() {
    try {
      if (!workers.awaitTermination(1, TimeUnit.SECONDS)) {
        LOG.warn("A request handler of {} does not heed its interrupt", me);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
