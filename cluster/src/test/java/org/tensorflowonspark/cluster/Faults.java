/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;

/** Injects faults and takes the time until the driver names them. */
final class Faults {
  private static final Logger LOG = LoggerFactory.getLogger(Faults.class);

  private Faults() {}

  /** A promised time; longer on a machine that has more to do than it has cores. */
  static Duration promised(Duration time) {
    var system = ManagementFactory.getOperatingSystemMXBean();
    double busy = system.getSystemLoadAverage() / system.getAvailableProcessors();
    return Duration.ofMillis(Math.round(time.toMillis() * Math.max(1, busy)));
  }

  /** What the driver threw, and how long after the fault. */
  record Told(Throwable error, Duration after) {
    Told within(Duration limit) {
      LOG.info("Told after {} ms: {}", after.toMillis(), error.toString());
      assertThat(after).isLessThan(promised(limit));
      return this;
    }

    /** The error, which must have this code. */
    TfosException coded(ClusterError code) {
      assertThat(error).isInstanceOf(TfosException.class);
      TfosException coded = (TfosException) error;
      assertThat(coded.code()).as(coded.getMessage()).isEqualTo(code.code());
      return coded;
    }
  }

  /**
   * Runs {@code work}, does {@code fault} as soon as {@code ready} is open, waits for the error.
   */
  static Told inject(CountDownLatch ready, Runnable fault, ThrowingCallable work) {
    AtomicLong when = new AtomicLong();
    CompletableFuture<Void> injected =
        CompletableFuture.runAsync(
            () -> {
              open(ready);
              when.set(System.nanoTime());
              fault.run();
            });
    Throwable error = catchThrowable(work);
    long now = System.nanoTime();
    injected.orTimeout(10, TimeUnit.SECONDS).join();
    return new Told(error, Duration.ofNanos(now - when.get()));
  }

  /** Runs {@code work}, whose error began at the time that stands in its message. */
  static Told told(ThrowingCallable work) {
    Throwable error = catchThrowable(work);
    long now = System.currentTimeMillis();
    assertThat(error).isNotNull();
    String at = String.valueOf(error.getMessage()).replaceAll("(?s).*@(\\d+).*", "$1");
    return new Told(error, Duration.ofMillis(now - Long.parseLong(at)));
  }

  /** Runs {@code work} and takes the time from its beginning. */
  static Told timed(ThrowingCallable work) {
    long start = System.nanoTime();
    Throwable error = catchThrowable(work);
    return new Told(error, Duration.ofNanos(System.nanoTime() - start));
  }

  /** The mark of the present moment for messages that {@link #told} reads. */
  static String now() {
    return "@" + System.currentTimeMillis();
  }

  /** Waits for a latch that another party opens. */
  static void open(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).as("the latch is open within 60 s").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
