/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.network.buffer.NettyManagedBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.protocol.RpcRequest;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * Sends requests to one node from any executor process, for a feed task whose node lives elsewhere.
 * Safe on several threads, which then have requests under way at the same time. The one who opened
 * it closes it.
 */
public final class RequestClient implements AutoCloseable {
  private static final ByteBuffer KIND = ByteBuffer.wrap(new byte[] {TcpSession.REQUEST});

  private final NodeAddress node;
  private final Membership me;
  private final long maxMessage;
  private final GuardedContext context;
  private final TcpConnector connector;
  private final TransportClient client;
  private final AtomicLong ids = new AtomicLong();

  private RequestClient(
      NodeAddress node,
      Membership me,
      long maxMessage,
      GuardedContext context,
      TcpConnector connector,
      TransportClient client) {
    this.node = node;
    this.me = me;
    this.maxMessage = maxMessage;
    this.context = context;
    this.connector = connector;
    this.client = client;
  }

  /**
   * Connects to a node and authenticates. Blocks.
   *
   * @param me a guest of the node's cluster and attempt
   * @throws TfosException unreachable, refused or timed out
   */
  public static RequestClient connect(
      NodeAddress node, Membership me, TransportSettings settings, Deadline deadline) {
    GuardedContext context = new GuardedContext(settings, new Refusals(me.toString()));
    TcpConnector connector = new TcpConnector(context, me, settings);
    ThreadPoolExecutor worker = NodeTransport.workers("tfos-connect");
    CompletableFuture<TransportClient> opening = new CompletableFuture<>();
    boolean done = false;
    try {
      worker.execute(() -> open(connector, node, opening));
      TransportClient client = await(opening, node, me, deadline, "to connect");
      done = true;
      return new RequestClient(node, me, settings.maxMessageBytes(), context, connector, client);
    } finally {
      worker.shutdownNow();
      if (!done) {
        connector.close();
        context.close();
      }
    }
  }

  private static void open(
      TcpConnector connector, NodeAddress node, CompletableFuture<TransportClient> opening) {
    try {
      CompletableFuture<TransportClient> unused =
          connector
              .requests(node)
              .whenComplete(
                  (client, failure) -> {
                    if (failure != null) {
                      boolean ignored = opening.completeExceptionally(failure);
                    } else if (!opening.complete(client)) {
                      client.close();
                    }
                  });
    } catch (RuntimeException e) {
      boolean ignored = opening.completeExceptionally(e);
    }
  }

  /**
   * Sends a message and waits for the answer.
   *
   * @param message what is between position and limit; must not change until the call returns
   * @return the answer, a private copy
   * @throws TfosException too large, failed by the handler, peer lost, timed out (then the client
   *     is closed: the message may be under way still)
   */
  public ByteBuffer request(ByteBuffer message, Deadline deadline) {
    if (message.remaining() > maxMessage) {
      throw new TfosException(
          TransportError.MESSAGE_TOO_LARGE,
          "A request of " + message.remaining() + " bytes exceeds the cap of " + maxMessage,
          "Send smaller pieces.");
    }
    long id = ids.incrementAndGet();
    CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
    client.getHandler().addRpcRequest(id, new Answer(answer));
    Channel channel = client.getChannel();
    channel
        .writeAndFlush(
            new RpcRequest(
                id,
                new NettyManagedBuffer(
                    Unpooled.wrappedBuffer(KIND.duplicate(), message.duplicate()))))
        .addListener(
            written -> {
              Throwable failure = written.cause();
              if (failure != null) {
                boolean unused =
                    answer.completeExceptionally(
                        Failures.lost(me, node.rank(), "to take a request", failure));
              }
            });
    boolean answered = false;
    try {
      ByteBuffer result = await(answer, node, me, deadline, "to answer a request");
      answered = true;
      return result;
    } finally {
      client.removeRpcRequest(id);
      if (!answered && !answer.isDone()) {
        client.close();
      }
    }
  }

  private static <T> T await(
      CompletableFuture<T> future,
      NodeAddress node,
      Membership me,
      Deadline deadline,
      String what) {
    try {
      return future.get(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw Failures.timedOut(me, node.rank(), deadline, what);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failures.aborted(me, "rank " + node.rank(), e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof TfosException known) {
        throw known;
      }
      throw failure(node, me, what, cause);
    }
  }

  private static TfosException failure(
      NodeAddress node, Membership me, String what, @Nullable Throwable cause) {
    if (cause instanceof Refused) {
      return new TfosException(
          TransportError.REQUEST_FAILED,
          "Rank " + node.rank() + " failed to answer " + me.name() + ": " + cause.getMessage(),
          "");
    }
    return Failures.lost(me, node.rank(), what, cause);
  }

  @Override
  public void close() {
    client.close();
    connector.close();
    context.close();
  }

  /** The node's handler failed, told by its text. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(@Nullable String text) {
      super(TcpSession.RequestFailure.text(text));
    }
  }

  private record Answer(CompletableFuture<ByteBuffer> future) implements RpcResponseCallback {
    @Override
    public void onSuccess(ByteBuffer response) {
      boolean unused =
          future.complete(ByteBuffer.allocate(response.remaining()).put(response).flip());
    }

    @Override
    public void onFailure(Throwable e) {
      // Spark wraps the text of a failed request in exactly this type; losses are IOExceptions.
      Throwable cause = e.getClass() == RuntimeException.class ? new Refused(e.getMessage()) : e;
      boolean unused = future.completeExceptionally(cause);
    }
  }
}
