/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.SocketChannel;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;
import org.apache.spark.network.server.TransportChannelHandler;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
import org.apache.spark.network.util.TransportFrameDecoder;

/**
 * Spark's transport with our limits put around its frame decoder, on both sides of a connection,
 * and with settings that fit a pipe between nodes. Its threads are called {@code tfos-server-...}
 * and {@code tfos-client-...}.
 */
final class GuardedContext extends TransportContext {
  private static final String MODULE = "tfos";

  private final AtomicInteger accepting = new AtomicInteger();
  private final AtomicInteger connecting = new AtomicInteger();
  private final Refusals refusals;
  private final long maxMessage;

  GuardedContext(TransportSettings settings, Refusals refusals) {
    super(conf(settings), new NoRequests());
    this.refusals = refusals;
    this.maxMessage = settings.maxMessageBytes();
  }

  private static TransportConf conf(TransportSettings settings) {
    Map<String, String> conf = new HashMap<>(settings.spark());
    conf.putIfAbsent("spark.network.crypto.authEngineVersion", "2");
    conf.putIfAbsent("spark.network.crypto.cipher", "AES/GCM/NoPadding");
    // Falling back to SASL would drop the encryption that the user asked for.
    conf.put("spark.network.crypto.saslFallback", "false");
    conf.put("spark.network.auth.rpcTimeout", PeerGuard.TIMEOUT_MILLIS / 1000 + "s");
    conf.put("spark.tfos.io.mode", "NIO");
    conf.put("spark.tfos.io.serverThreads", "2");
    conf.put("spark.tfos.io.clientThreads", "1");
    conf.put("spark.tfos.io.connectionCreationTimeout", "10s");
    // Waits have deadlines of their own; a request may block for long as back-pressure.
    conf.put("spark.tfos.io.connectionTimeout", "86400s");
    return new TransportConf(MODULE, new MapConfigProvider(conf));
  }

  /** The one user name of Spark's protocols, and its secret. */
  static SecretKeyHolder keys(Membership me) {
    return new SecretKeyHolder() {
      @Override
      public String getSaslUser(String appId) {
        return user(me);
      }

      @Override
      public String getSecretKey(String appId) {
        return me.secretText();
      }
    };
  }

  static String user(Membership me) {
    return "tfos-" + me.clusterId();
  }

  @Override
  public TransportChannelHandler initializePipeline(
      SocketChannel channel, RpcHandler handler, boolean isClient) {
    TransportChannelHandler made = super.initializePipeline(channel, handler, isClient);
    channel.config().setTcpNoDelay(true);
    AtomicInteger halfOpen = isClient ? connecting : accepting;
    ChannelPipeline pipeline = channel.pipeline();
    String decoder = TransportFrameDecoder.HANDLER_NAME;
    pipeline.addBefore(decoder, PeerGuard.NAME, new PeerGuard(halfOpen, refusals, maxMessage));
    pipeline.addAfter(
        decoder, FrameFilter.NAME, isClient ? FrameFilter.forClient() : FrameFilter.forServer());
    return made;
  }

  /** Refuses everything: the start of every chain of handlers. */
  static class NoRequests extends RpcHandler {
    @Override
    public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
      throw new UnsupportedOperationException("Not a request of this protocol");
    }

    @Override
    public StreamManager getStreamManager() {
      return new StreamManager() {
        @Override
        public ManagedBuffer getChunk(long streamId, int chunkIndex) {
          throw new UnsupportedOperationException("No streams");
        }
      };
    }
  }
}
