/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

import java.io.Serializable;

/**
 * A program that runs once on every node, on a thread of its own in an executor. It is serialised
 * on the driver, so what it captures must be serialisable. An exception ends the whole cluster and
 * reaches the driver as the cause; an interrupt means that the cluster is stopping.
 */
@FunctionalInterface
public interface NodeProgram extends Serializable {
  /** Runs until the work is done. */
  void run(NodeContext context) throws Exception;
}
