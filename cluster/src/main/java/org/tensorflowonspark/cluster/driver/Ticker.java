/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller's own threads: one that looks at the clock and does what must not run on Spark's
 * dispatcher, one for users' callbacks, so that a slow callback delays no decision.
 */
final class Ticker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);
  private static final long PERIOD_MILLIS = 200;

  private final ScheduledExecutorService clock;
  private final ExecutorService callbacks;

  Ticker(String name, Runnable tick) {
    clock = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, name));
    callbacks = Executors.newSingleThreadExecutor(task -> daemon(task, name + "-callbacks"));
    var unused =
        clock.scheduleWithFixedDelay(
            guarded(tick), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** A task that throws must not end the clock. */
  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.warn("A task of the cluster's clock failed", e);
      }
    };
  }

  void execute(Runnable task) {
    schedule(task, Duration.ZERO);
  }

  void schedule(Runnable task, Duration delay) {
    try {
      var unused = clock.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The cluster is closed already", e);
    }
  }

  void callback(Runnable task) {
    try {
      callbacks.execute(guarded(task));
    } catch (RejectedExecutionException e) {
      LOG.debug("The cluster is closed already", e);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    callbacks.shutdown();
  }
}
