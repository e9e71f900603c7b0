/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.control.Member;

/**
 * The first failure of a cluster's node: its program threw, its process ended, or it fell silent.
 * The cause is the exception of the program with the node's own stack; failures of other nodes are
 * suppressed exceptions.
 */
public final class NodeFailedException extends TfosException {
  private static final long serialVersionUID = 1L;

  private final Member node;
  private final long step;

  NodeFailedException(
      ClusterError error,
      Member node,
      long step,
      String what,
      String remedy,
      @Nullable Throwable cause) {
    super(error, what, remedy, cause);
    this.node = node;
    this.step = step;
  }

  /** The node that failed. */
  public Member node() {
    return node;
  }

  /** Batches that its program had taken. */
  public long step() {
    return step;
  }
}
