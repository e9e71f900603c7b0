/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.nio.ByteBuffer;

/**
 * What a node does with the requests of feed tasks. Called on the transport's request threads, on
 * several at a time, only for authenticated clients of the same cluster and attempt. It may block:
 * that is the back-pressure on the sender.
 */
@FunctionalInterface
public interface RpcService {

  /**
   * Answers one request.
   *
   * @param request the message; a private copy that may be kept
   * @return the answer, at most the cap for messages; its content is sent after the call
   * @throws Exception reaches the caller as {@link TransportError#REQUEST_FAILED} with its text
   */
  ByteBuffer handle(ByteBuffer request) throws Exception;

  /** A service that refuses every request. */
  static RpcService none() {
    return request -> {
      throw new UnsupportedOperationException("This node takes no requests");
    };
  }
}
