/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import org.jspecify.annotations.Nullable;

/**
 * How nodes that train in step agree, without an exchange of its own, that an epoch is over: every
 * all-reduce carries along whether its node may have more rows after this step, and all go on while
 * one does. Used by the program's thread only.
 */
public final class StepAgreement {
  private @Nullable String owner;
  private boolean mine;
  private boolean anybody = true;
  private long exchanges;

  /** What this node says in the next all-reduce: whether it may have more rows in this epoch. */
  public boolean mayHaveMore() {
    return mine;
  }

  /** What came out of an all-reduce: whether any node may have more rows. */
  public void agreed(boolean anybodyHasMore) {
    anybody = anybodyHasMore;
    exchanges++;
  }

  /** One feed at a time says when an epoch is over. */
  void claim(String feed) {
    if (owner != null) {
      throw new IllegalStateException(
          "Feed '%s' is open and synchronous; close it before '%s'".formatted(owner, feed));
    }
    owner = feed;
  }

  void release() {
    owner = null;
  }

  void begin() {
    anybody = true;
  }

  void say(boolean more) {
    mine = more;
  }

  boolean anybodyHasMore() {
    return anybody;
  }

  long exchanges() {
    return exchanges;
  }
}
