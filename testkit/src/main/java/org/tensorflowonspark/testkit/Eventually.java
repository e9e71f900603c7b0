/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * Waits for what can only be observed from outside, such as the end of another process. Code that
 * can be told of an event waits for the event instead.
 */
public final class Eventually {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Eventually() {}

  /**
   * Blocks the calling thread until {@code condition} holds.
   *
   * @param what the expectation as a clause, such as "the executor is gone"
   * @param condition asked every 20 ms; an exception counts as not yet and is kept as the cause
   * @throws TfosException when the time is over or the thread is interrupted
   */
  public static void within(Duration limit, String what, Callable<Boolean> condition) {
    value(limit, what, () -> condition.call() ? Boolean.TRUE : null);
  }

  /** As {@link #within}, for the first value that is not null. */
  public static <T> T value(Duration limit, String what, Callable<@Nullable T> supplier) {
    long end = System.nanoTime() + limit.toNanos();
    Exception last = null;
    while (true) {
      try {
        T value = supplier.call();
        if (value != null) {
          return value;
        }
        last = null;
      } catch (InterruptedException e) {
        throw interrupted(what, e);
      } catch (Exception e) {
        last = e;
      }
      if (System.nanoTime() - end >= 0) {
        throw new TfosException(
            TestkitError.NOT_IN_TIME,
            "Not within " + limit.toMillis() + " ms: " + what,
            last == null ? "" : "The last attempt failed: " + last,
            last);
      }
      try {
        Thread.sleep(PAUSE.toMillis());
      } catch (InterruptedException e) {
        throw interrupted(what, e);
      }
    }
  }

  private static TfosException interrupted(String what, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new TfosException(TestkitError.NOT_IN_TIME, "Interrupted while waiting: " + what, "", e);
  }
}
