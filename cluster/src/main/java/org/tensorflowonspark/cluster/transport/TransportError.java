/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import org.tensorflowonspark.base.ErrorCode;

/** Failures of the data plane between nodes. */
public enum TransportError implements ErrorCode {
  BIND_FAILED(1, "the node could not listen on its host's address"),
  CONNECT_FAILED(2, "the peer could not be reached"),
  TIMED_OUT(3, "a wait for a peer passed its deadline"),
  PEER_LOST(4, "the peer closed the connection or its process died"),
  ABORTED(5, "the wait was ended from outside; the cause says why"),
  CLOSED(6, "the transport, link or client was closed on this side"),
  WRONG_CLUSTER(7, "the peer belongs to another cluster, attempt or rank"),
  WRONG_VERSION(8, "the peer speaks another version of the protocol"),
  NOT_AUTHENTICATED(9, "the peer did not prove that it knows the cluster's secret"),
  MESSAGE_TOO_LARGE(10, "a request is larger than the cap for messages"),
  REQUEST_FAILED(11, "the node's handler of a request failed"),
  INVALID_SETTING(12, "a setting of the transport cannot be used");

  private final int number;
  private final String meaning;

  TransportError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "TRANSPORT";
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public String meaning() {
    return meaning;
  }
}
