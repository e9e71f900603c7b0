/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts connections that were refused and says so in the log, once in ten seconds at most however
 * many there are. Any thread.
 */
final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
  private static final long INTERVAL = TimeUnit.SECONDS.toNanos(10);

  private final AtomicLong count = new AtomicLong();
  private final AtomicLong nextLog = new AtomicLong(System.nanoTime());
  private final String node;

  Refusals(String node) {
    this.node = node;
  }

  void refused(String from, String why) {
    long total = count.incrementAndGet();
    long due = nextLog.get();
    long now = System.nanoTime();
    if (now - due >= 0 && nextLog.compareAndSet(due, now + INTERVAL)) {
      LOG.warn("{} refused a connection from {}: {} ({} refused so far)", node, from, why, total);
    }
  }

  long count() {
    return count.get();
  }
}
