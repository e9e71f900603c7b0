/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;

/** Counts the jobs of a session while it is open. */
final class JobCounter extends SparkListener implements AutoCloseable {
  private final LocalSpark spark;
  private final AtomicInteger jobs = new AtomicInteger();

  JobCounter(LocalSpark spark) throws TimeoutException {
    this.spark = spark;
    spark.awaitListeners();
    spark.session().sparkContext().addSparkListener(this);
  }

  @Override
  public void onJobStart(SparkListenerJobStart start) {
    jobs.incrementAndGet();
  }

  int count() throws TimeoutException {
    spark.awaitListeners();
    return jobs.get();
  }

  @Override
  public void close() {
    spark.session().sparkContext().removeSparkListener(this);
  }
}
