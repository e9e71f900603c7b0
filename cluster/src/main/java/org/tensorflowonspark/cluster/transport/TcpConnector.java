/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientBootstrap;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.crypto.AuthClientBootstrap;
import org.apache.spark.network.sasl.SaslClientBootstrap;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/** Opens authenticated TCP connections to nodes. Any thread. */
final class TcpConnector implements AutoCloseable {
  private final Membership me;
  private final TransportSettings settings;
  private final TransportClientFactory factory;

  TcpConnector(GuardedContext context, Membership me, TransportSettings settings) {
    this.me = me;
    this.settings = settings;
    TransportClientBootstrap authentication =
        settings.sparkCrypto()
            ? new AuthClientBootstrap(
                context.getConf(), GuardedContext.user(me), GuardedContext.keys(me))
            : new SaslClientBootstrap(
                context.getConf(), GuardedContext.user(me), GuardedContext.keys(me));
    factory = context.createClientFactory(List.of(authentication));
  }

  /** Connects and authenticates; blocks, 10 s to connect and 5 s to authenticate at most. */
  private TransportClient authenticate(NodeAddress peer) {
    try {
      return factory.createUnmanagedClient(peer.host(), peer.tcpPort());
    } catch (IOException e) {
      throw new TfosException(
          TransportError.CONNECT_FAILED,
          me.name() + " cannot reach rank " + peer.rank() + " at " + where(peer),
          "See that executors can reach each other's ports, and that the process still runs.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failures.aborted(me, "rank " + peer.rank(), e);
    } catch (RuntimeException e) {
      throw UnixConnector.notAuthenticated(me, peer, e);
    }
  }

  /** Opens a link; the future fails with a TfosException. */
  CompletableFuture<Link> link(NodeAddress peer, String name, LinkTable links) {
    CompletableFuture<Link> result = new CompletableFuture<>();
    TransportClient client = authenticate(peer);
    Channel channel = client.getChannel();
    Consumer<Link> ready =
        link -> {
          if (!result.complete(link)) {
            link.close();
          }
        };
    greet(
        client,
        peer,
        TcpSession.hello(TcpSession.HELLO_LINK, Hello.of(me, peer.rank(), name)),
        result,
        () -> {
          NettyLink link = TcpSession.intercept(me, peer.rank(), name, channel, links, settings);
          if (settings.encrypted()) {
            ready.accept(link);
          } else {
            RawSocket.upgrade(me, channel, link, links, ready);
          }
        });
    return result;
  }

  /** Opens a connection for requests; the future fails with a TfosException. */
  CompletableFuture<TransportClient> requests(NodeAddress peer) {
    CompletableFuture<TransportClient> result = new CompletableFuture<>();
    TransportClient client = authenticate(peer);
    greet(
        client,
        peer,
        TcpSession.hello(TcpSession.HELLO_REQUESTS, Hello.of(me, peer.rank(), "")),
        result,
        () -> {
          PeerGuard guard = TcpServer.guard(client.getChannel());
          if (guard != null) {
            guard.admit();
          }
          if (!result.complete(client)) {
            client.close();
          }
        });
    return result;
  }

  /** Sends the hello; {@code admitted} runs on the event loop before another byte is read. */
  private void greet(
      TransportClient client,
      NodeAddress peer,
      ByteBuffer hello,
      CompletableFuture<?> result,
      Runnable admitted) {
    long unused =
        client.sendRpc(
            hello,
            new RpcResponseCallback() {
              @Override
              public void onSuccess(ByteBuffer response) {
                TfosException refusal = refusal(response);
                if (refusal == null) {
                  admitted.run();
                } else {
                  fail(refusal);
                }
              }

              @Override
              public void onFailure(Throwable e) {
                fail(Failures.lost(me, peer.rank(), "to answer the hello", e));
              }

              private void fail(TfosException failure) {
                boolean ignored = result.completeExceptionally(failure);
                client.close();
              }
            });
  }

  private static @Nullable TfosException refusal(ByteBuffer response) {
    int code = response.hasRemaining() ? response.get() : -1;
    if (code == 0) {
      return null;
    }
    int length = response.remaining() < 2 ? 0 : response.getShort();
    length = Math.max(0, Math.min(length, response.remaining()));
    ByteBuffer text = response.slice(response.position(), length);
    return Hello.Verdict.failure(code, StandardCharsets.UTF_8.decode(text).toString());
  }

  static String where(NodeAddress peer) {
    return peer.host() + ':' + peer.tcpPort();
  }

  @Override
  public void close() {
    factory.close();
  }
}
