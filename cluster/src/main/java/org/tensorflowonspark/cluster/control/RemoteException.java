/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.control;

import org.jspecify.annotations.Nullable;

/**
 * Stands for an exception that was thrown on a node: its message begins with the original class
 * name and its stack is the node's.
 */
public final class RemoteException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RemoteException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
