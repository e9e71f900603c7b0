/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which failure came first. A node that only noticed that another one went away often
 * reports sooner than the driver learns why that one went; so such reports wait a little for the
 * real cause. Guarded by the controller's lock.
 */
final class FirstCause {
  /** How long a report of a consequence waits for its cause. */
  private static final long PATIENCE_NANOS = Duration.ofMillis(1500).toNanos();

  /** One failure, with when it is good enough to be the answer. */
  private record Candidate(RuntimeException failure, boolean consequence, long decisive) {}

  private final List<Candidate> candidates = new ArrayList<>();

  /** A node lost or failed by itself. */
  void cause(RuntimeException failure) {
    candidates.add(new Candidate(failure, false, System.nanoTime()));
  }

  /** A node failed because another one seems to be gone. */
  void consequence(RuntimeException failure) {
    candidates.add(new Candidate(failure, true, System.nanoTime() + PATIENCE_NANOS));
  }

  /** The failure to throw, others folded under it; null while it is not yet decided. */
  @Nullable RuntimeException decide() {
    Candidate first = null;
    boolean due = false;
    for (Candidate candidate : candidates) {
      due |= System.nanoTime() - candidate.decisive() >= 0;
      if (first == null || (first.consequence() && !candidate.consequence())) {
        first = candidate;
      }
    }
    if (first == null || !due) {
      return null;
    }
    for (Candidate candidate : candidates) {
      if (candidate.failure() != first.failure()) {
        first.failure().addSuppressed(candidate.failure());
      }
    }
    return first.failure();
  }
}
