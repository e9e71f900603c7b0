/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A {@link NodeProgram} whose return value goes back to the driver.
 *
 * @param <R> type of the value; serialisable
 */
@FunctionalInterface
public interface NodeFunction<R extends @Nullable Object> extends Serializable {
  /** Runs until the work is done and returns the node's result. */
  R run(NodeContext context) throws Exception;
}
