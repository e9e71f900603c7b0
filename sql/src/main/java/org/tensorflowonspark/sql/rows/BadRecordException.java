/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.ErrorCode;
import org.tensorflowonspark.base.TfosException;

/**
 * One record cannot be a row of the schema. Without a stack trace, since in tolerant reading it is
 * no exception; whoever knows file and offset turns it into an error for the user.
 */
public final class BadRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  private final ErrorCode error;
  private final String remedy;

  /** The reason, as part of a sentence that names the feature, and what the user can do. */
  public BadRecordException(
      ErrorCode error, String reason, String remedy, @Nullable Throwable cause) {
    super(reason, cause, false, false);
    this.error = error;
    this.remedy = remedy;
  }

  /** The stable code. */
  public ErrorCode error() {
    return error;
  }

  /** What the user can do about it. */
  public String remedy() {
    return remedy;
  }

  /** The failure for the user, where the record is known. */
  public TfosException at(String file, long position) {
    return new TfosException(
        error, file + " at byte " + position + ": " + getMessage(), remedy, getCause());
  }
}
