/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.spark;

import org.apache.spark.SparkContext;
import org.apache.spark.rpc.RpcAddress;
import org.apache.spark.rpc.RpcCallContext;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.rpc.ThreadSafeRpcEndpoint;
import scala.PartialFunction;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * A named endpoint in the driver's own RPC environment. Messages are byte arrays, so neither side
 * needs our classes to read a message, and authentication and encryption are what the application's
 * Spark configuration says. Handlers run one after the other on Spark's dispatcher threads and must
 * not block.
 */
public final class DriverEndpoint implements AutoCloseable {
  private final RpcEnv env;
  private final RpcEndpointRef ref;

  /** What the endpoint's owner does with what arrives. */
  public interface Handler {
    /** A message from the process at {@code sender}; answer it once, from any thread. */
    void onMessage(byte[] message, String sender, Reply reply);

    /** The connection to the process at {@code sender} is gone. */
    void onDisconnected(String sender);

    /** The RPC environment or this endpoint was stopped. */
    void onStop();
  }

  /** Answers one message. */
  public interface Reply {
    /** Sends the answer. */
    void send(byte[] answer);

    /** Refuses the message; the sender's call fails with {@code reason}. */
    void refuse(String reason);
  }

  /** Opens an endpoint called {@code name} on the driver. */
  public static DriverEndpoint open(SparkContext context, String name, Handler handler) {
    RpcEnv env = context.env().rpcEnv();
    return new DriverEndpoint(env, env.setupEndpoint(name, new Endpoint(env, handler)));
  }

  private DriverEndpoint(RpcEnv env, RpcEndpointRef ref) {
    this.env = env;
    this.ref = ref;
  }

  @Override
  public void close() {
    env.stop(ref);
  }

  private static final class Endpoint implements ThreadSafeRpcEndpoint {
    private final RpcEnv env;
    private final Handler handler;

    Endpoint(RpcEnv env, Handler handler) {
      this.env = env;
      this.handler = handler;
    }

    @Override
    public RpcEnv rpcEnv() {
      return env;
    }

    @Override
    public PartialFunction<Object, BoxedUnit> receiveAndReply(RpcCallContext context) {
      return new AbstractPartialFunction<>() {
        @Override
        public boolean isDefinedAt(Object message) {
          return message instanceof byte[];
        }

        @Override
        public BoxedUnit apply(Object message) {
          RpcAddress sender = context.senderAddress();
          handler.onMessage(
              (byte[]) message,
              sender == null ? "local" : sender.hostPort(),
              new Reply() {
                @Override
                public void send(byte[] answer) {
                  context.reply(answer);
                }

                @Override
                public void refuse(String reason) {
                  context.sendFailure(new IllegalStateException(reason));
                }
              });
          return BoxedUnit.UNIT;
        }
      };
    }

    @Override
    public void onDisconnected(RpcAddress address) {
      handler.onDisconnected(address.hostPort());
    }

    @Override
    public void onStop() {
      handler.onStop();
    }
  }
}
