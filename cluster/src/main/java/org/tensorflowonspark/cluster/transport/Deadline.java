/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * When a wait gives up, on the monotonic clock. Either a fixed moment, or a time without progress:
 * then every byte that moves starts it afresh. Used by one wait at a time.
 */
public final class Deadline {
  private final long allowance;
  private final boolean renewed;
  private final long start = System.nanoTime();
  private volatile long end;

  private Deadline(Duration allowance, boolean renewed) {
    this.allowance = allowance.toNanos();
    this.renewed = renewed;
    this.end = start + this.allowance;
  }

  /** Gives up {@code time} from now. */
  public static Deadline after(Duration time) {
    return new Deadline(time, false);
  }

  /** Gives up when nothing has moved for {@code time}. */
  public static Deadline withoutProgress(Duration time) {
    return new Deadline(time, true);
  }

  /** Says that something moved. */
  public void progress() {
    if (renewed) {
      end = System.nanoTime() + allowance;
    }
  }

  /** Nanoseconds left, zero or less when it has passed. */
  public long remainingNanos() {
    return end - System.nanoTime();
  }

  /** Whether it has passed. */
  public boolean expired() {
    return remainingNanos() <= 0;
  }

  /** How it reads in an error: {@code 2.0 s} or {@code 60.0 s without progress}. */
  public String describe() {
    double seconds = TimeUnit.NANOSECONDS.toMillis(allowance) / 1000.0;
    return seconds + " s" + (renewed ? " without progress" : "");
  }
}
