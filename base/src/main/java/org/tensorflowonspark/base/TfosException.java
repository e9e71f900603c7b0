/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.base;

import org.jspecify.annotations.Nullable;

/**
 * A failure that a user can act on: a stable code, what happened with the actual value, and the
 * remedy. All exceptions that this project throws on purpose are of this type; the original failure
 * is kept as the cause.
 */
public class TfosException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;

  /**
   * A failure without another one behind it.
   *
   * @param code stable code of the failure
   * @param what what happened, with the actual values, as a sentence without a full stop
   * @param remedy what the user can do about it, as a sentence
   */
  public TfosException(ErrorCode code, String what, String remedy) {
    this(code, what, remedy, null);
  }

  /** As {@link #TfosException(ErrorCode, String, String)}, with the failure that led to it. */
  public TfosException(ErrorCode code, String what, String remedy, @Nullable Throwable cause) {
    super(message(code, what, remedy), cause);
    this.code = code.code();
  }

  /** The stable code, such as {@code TFOS-CLUSTER-003}. */
  public String code() {
    return code;
  }

  private static String message(ErrorCode code, String what, String remedy) {
    StringBuilder text = new StringBuilder().append('[').append(code.code()).append("] ");
    text.append(what);
    if (!remedy.isEmpty()) {
      text.append(what.endsWith(".") ? " " : ". ").append(remedy);
    }
    return text.toString();
  }
}
