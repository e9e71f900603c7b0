/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import org.tensorflowonspark.base.ErrorCode;

/** Failures of operations that all nodes do together. */
public enum CollectiveError implements ErrorCode {
  NO_PROGRESS(1, "a rank was waited for and nothing arrived within the timeout"),
  PEER_FAILED(2, "a rank's process died or closed its connection during an operation"),
  MISMATCH(3, "ranks called different operations, or with buffers of different sizes or types"),
  ABORTED(4, "the operation was ended from outside; the cause says why"),
  INVALID_ARGUMENT(5, "a buffer, weight or rank cannot be used"),
  UNUSABLE(6, "an earlier operation failed or the collective was closed");

  private final int number;
  private final String meaning;

  CollectiveError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "COLLECTIVE";
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
