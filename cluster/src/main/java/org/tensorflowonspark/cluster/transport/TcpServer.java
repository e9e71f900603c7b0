/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.crypto.AuthServerBootstrap;
import org.apache.spark.network.sasl.SaslServerBootstrap;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.server.TransportServerBootstrap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's TCP port, on Spark's transport. Each connection passes {@link PeerGuard}, {@link
 * FrameFilter}, Spark's authentication and {@link TcpSession}, in this order.
 */
final class TcpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TcpServer.class);

  private final TransportServer server;

  /**
   * @param workers where requests are handled
   */
  TcpServer(
      GuardedContext context,
      String bindHost,
      Membership me,
      TransportSettings settings,
      LinkTable links,
      RpcService service,
      Executor workers) {
    SecretKeyHolder keys = GuardedContext.keys(me);
    TransportServerBootstrap session =
        (channel, handler) -> new TcpSession(channel, me, settings, links, service, workers);
    TransportServerBootstrap authentication =
        settings.sparkCrypto()
            ? new AuthServerBootstrap(context.getConf(), keys)
            : new SaslServerBootstrap(context.getConf(), keys);
    TransportServerBootstrap shield = Shield::new;
    server = context.createServer(bindHost, 0, List.of(session, authentication, shield));
  }

  int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    server.close();
  }

  /**
   * Around authentication: a failure closes the connection with one answer for all reasons, and
   * does not fill the log.
   */
  private static final class Shield extends RpcHandler {
    private final Channel channel;
    private final RpcHandler inner;

    Shield(Channel channel, RpcHandler inner) {
      this.channel = channel;
      this.inner = inner;
    }

    @Override
    public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
      try {
        inner.receive(client, message, callback);
      } catch (RuntimeException e) {
        LOG.debug("Refused {}", channel, e);
        PeerGuard guard = guard(channel);
        if (guard != null && !guard.admitted()) {
          guard.note(channel.pipeline().context(guard), "it failed to authenticate");
        }
        callback.onFailure(new TcpSession.RequestFailure("Authentication failed."));
        RawSocket.close(channel);
      }
    }

    @Override
    public void receive(TransportClient client, ByteBuffer message) {
      RawSocket.close(channel);
    }

    @Override
    public StreamManager getStreamManager() {
      return inner.getStreamManager();
    }

    @Override
    public void channelActive(TransportClient client) {
      inner.channelActive(client);
    }

    @Override
    public void channelInactive(TransportClient client) {
      inner.channelInactive(client);
    }

    @Override
    public void exceptionCaught(Throwable cause, TransportClient client) {
      inner.exceptionCaught(cause, client);
    }
  }

  /** Guard of a channel, or null after a link has taken the channel over. */
  static @Nullable PeerGuard guard(Channel channel) {
    return (PeerGuard) channel.pipeline().get(PeerGuard.NAME);
  }
}
