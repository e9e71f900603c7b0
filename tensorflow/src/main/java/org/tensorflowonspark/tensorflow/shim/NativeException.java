/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow.shim;

/** TensorFlow refused: its status code and message, word for word. */
public final class NativeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final String[] NAMES = {
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED"
  };

  private final int status;

  NativeException(int status, String message) {
    super(name(status) + ": " + message);
    this.status = status;
  }

  /** The {@code TF_Code}. */
  public int status() {
    return status;
  }

  private static String name(int status) {
    return status >= 0 && status < NAMES.length ? NAMES[status] : "STATUS_" + status;
  }
}
