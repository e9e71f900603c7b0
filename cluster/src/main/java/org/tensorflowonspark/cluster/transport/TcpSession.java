/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.util.TransportFrameDecoder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an authenticated TCP peer may say: first a hello, for a link or for requests; on a
 * connection for requests then requests. One for each connection, on its event loop.
 */
final class TcpSession extends GuardedContext.NoRequests {
  private static final Logger LOG = LoggerFactory.getLogger(TcpSession.class);

  static final byte HELLO_LINK = 1;
  static final byte HELLO_REQUESTS = 2;
  static final byte REQUEST = 3;
  static final int MAX_HELLO = 1024;

  private final Channel channel;
  private final Membership me;
  private final TransportSettings settings;
  private final LinkTable links;
  private final RpcService service;
  private final Executor workers;
  private @Nullable Hello peer;

  TcpSession(
      Channel channel,
      Membership me,
      TransportSettings settings,
      LinkTable links,
      RpcService service,
      Executor workers) {
    this.channel = channel;
    this.me = me;
    this.settings = settings;
    this.links = links;
    this.service = service;
    this.workers = workers;
  }

  /** The message that opens a connection. */
  static ByteBuffer hello(byte kind, Hello hello) {
    ByteBuffer out = ByteBuffer.allocate(MAX_HELLO);
    out.put(kind).putShort(Hello.VERSION);
    hello.encode(out);
    return out.flip();
  }

  @Override
  public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
    byte kind = message.hasRemaining() ? message.get() : 0;
    if (kind == REQUEST && peer != null) {
      request(message, callback);
    } else if ((kind == HELLO_LINK || kind == HELLO_REQUESTS) && peer == null) {
      greet(kind, message, callback);
    } else {
      throw new IllegalArgumentException("Unexpected kind of message: " + kind);
    }
  }

  private void greet(byte kind, ByteBuffer message, RpcResponseCallback callback) {
    int version = message.remaining() < 2 ? -1 : message.getShort();
    if (version != Hello.VERSION) {
      refuse(
          new Hello.Verdict(
              TransportError.WRONG_VERSION,
              String.format(
                  "The peer speaks protocol version %d, %s version %d",
                  version, me.name(), Hello.VERSION)),
          callback);
      return;
    }
    Hello hello = Hello.decode(message);
    if (hello == null) {
      throw new IllegalArgumentException("Unreadable hello");
    }
    Hello.Verdict objection = hello.objection(me);
    if (objection != null) {
      refuse(objection, callback);
      return;
    }
    peer = hello;
    PeerGuard guard = TcpServer.guard(channel);
    if (guard != null) {
      guard.admit();
    }
    if (kind == HELLO_REQUESTS) {
      callback.onSuccess(ByteBuffer.allocate(1));
      return;
    }
    NettyLink link = intercept(me, hello.rank(), hello.channel(), channel, links, settings);
    callback.onSuccess(ByteBuffer.allocate(1));
    if (settings.encrypted()) {
      links.offer(link);
    } else {
      RawSocket.upgrade(me, channel, link, links, links::offer);
    }
  }

  /** Turns a channel into a pipe of bytes; on its event loop, before a byte of the pipe arrives. */
  static NettyLink intercept(
      Membership me,
      int rank,
      String name,
      Channel channel,
      LinkTable links,
      TransportSettings settings) {
    String transport = settings.encrypted() ? "tcp+encryption" : "tcp";
    NettyLink link = new NettyLink(me, rank, name, transport, channel, links);
    ChannelPipeline pipeline = channel.pipeline();
    pipeline.remove(PeerGuard.NAME);
    TransportFrameDecoder decoder =
        (TransportFrameDecoder) pipeline.get(TransportFrameDecoder.HANDLER_NAME);
    decoder.setInterceptor(link);
    return link;
  }

  private void refuse(Hello.Verdict verdict, RpcResponseCallback callback) {
    PeerGuard guard = TcpServer.guard(channel);
    if (guard != null) {
      guard.note(channel.pipeline().context(guard), verdict.text());
    }
    ByteBuffer out = ByteBuffer.allocate(Hello.Verdict.MAX_BYTES);
    verdict.encode(out);
    callback.onSuccess(out.flip());
    RawSocket.close(channel);
  }

  /** Copies the message off the channel's buffers, which are gone when this method returns. */
  private void request(ByteBuffer message, RpcResponseCallback callback) {
    ByteBuffer copy = ByteBuffer.allocate(message.remaining()).put(message).flip();
    try {
      workers.execute(() -> answer(copy, callback));
    } catch (RejectedExecutionException e) {
      callback.onFailure(new RequestFailure("The node is closing or has too many requests"));
    }
  }

  private void answer(ByteBuffer request, RpcResponseCallback callback) {
    try {
      ByteBuffer answer = service.handle(request);
      if (answer.remaining() > settings.maxMessageBytes()) {
        throw new IllegalStateException("The answer has " + answer.remaining() + " bytes");
      }
      callback.onSuccess(answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      callback.onFailure(new RequestFailure("The node is closing"));
    } catch (Exception | LinkageError e) {
      LOG.debug("A request failed", e);
      callback.onFailure(new RequestFailure(e.toString()));
    }
  }

  /** A failure that travels as its text alone: Spark sends what the stack trace prints. */
  static final class RequestFailure extends Exception {
    private static final long serialVersionUID = 1L;

    RequestFailure(String text) {
      super(text, null, false, false);
    }

    /** The text out of what Spark made of it. */
    static String text(@Nullable String printed) {
      String text = printed == null ? "" : printed.trim();
      String prefix = RequestFailure.class.getName() + ": ";
      return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    }
  }
}
