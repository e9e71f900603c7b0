/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.spark.Executors;

/** Chooses an executor for each node: spread over all, as many on each as it has slots. */
final class Placement {
  private Placement() {}

  /**
   * The preferred location of each rank. Waits a little for executors that are still coming.
   *
   * @throws TfosException when the executors have fewer slots than {@code nodes}
   */
  static List<String> choose(SparkContext context, int nodes, Duration timeout)
      throws InterruptedException {
    refuseDynamicAllocation(context);
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      List<Executors.Slots> executors = Executors.of(context);
      if (total(executors) >= nodes) {
        return spread(executors, nodes);
      }
      if (System.nanoTime() - end >= 0) {
        throw tooFew(executors, nodes, timeout);
      }
      awaitExecutor(context, end);
    }
  }

  /**
   * Places that the executors offer, once as many are there as the application asked for, or as
   * came within {@code timeout}.
   */
  static int offered(SparkContext context, Duration timeout) throws InterruptedException {
    int wanted = context.conf().getInt("spark.executor.instances", 1);
    long end = System.nanoTime() + timeout.toNanos();
    while (Executors.of(context).size() < wanted && System.nanoTime() < end) {
      awaitExecutor(context, end);
    }
    List<Executors.Slots> executors = Executors.of(context);
    if (executors.isEmpty()) {
      throw tooFew(executors, 1, timeout);
    }
    return total(executors);
  }

  /** Waits for another executor, a little or until {@code end}. */
  private static void awaitExecutor(SparkContext context, long end) throws InterruptedException {
    CountDownLatch added = new CountDownLatch(1);
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onExecutorAdded(SparkListenerExecutorAdded event) {
            added.countDown();
          }
        };
    context.addSparkListener(listener);
    try {
      // The status store learns of an executor a moment before or after this listener does.
      long left = Math.min(end - System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(100));
      boolean unused = added.await(left, TimeUnit.NANOSECONDS);
    } finally {
      context.removeSparkListener(listener);
    }
  }

  private static void refuseDynamicAllocation(SparkContext context) {
    if (context.conf().getBoolean("spark.dynamicAllocation.enabled", false)) {
      throw new TfosException(
          ClusterError.DYNAMIC_ALLOCATION,
          "spark.dynamicAllocation.enabled is true, and Spark takes an executor whose node runs no"
              + " task for idle",
          "Set it to false for this application and give spark.executor.instances.");
    }
  }

  private static int total(List<Executors.Slots> executors) {
    return executors.stream().mapToInt(Executors.Slots::slots).sum();
  }

  private static TfosException tooFew(
      List<Executors.Slots> executors, int nodes, Duration timeout) {
    return new TfosException(
        ClusterError.TOO_FEW_SLOTS,
        "Need %d node places, have %d: %d executor(s) with %s slot(s) after waiting %d ms"
            .formatted(
                nodes,
                total(executors),
                executors.size(),
                executors.stream().map(e -> Integer.toString(e.slots())).toList(),
                timeout.toMillis()),
        "Lower the number of nodes, raise executors or cores (spark.executor.instances,"
            + " spark.executor.cores), or raise spark.tfos.cluster.slotTimeout if executors are"
            + " still coming.");
  }

  /** Each next rank goes to the executor that has the most slots left; the first one wins ties. */
  static List<String> spread(List<Executors.Slots> executors, int nodes) {
    Map<String, Integer> used = new HashMap<>();
    List<String> places = new ArrayList<>();
    for (int rank = 0; rank < nodes; rank++) {
      Executors.Slots best = executors.get(0);
      for (Executors.Slots executor : executors) {
        if (free(executor, used) > free(best, used)) {
          best = executor;
        }
      }
      used.merge(best.executorId(), 1, Integer::sum);
      places.add(best.location());
    }
    return places;
  }

  private static int free(Executors.Slots executor, Map<String, Integer> used) {
    return executor.slots() - used.getOrDefault(executor.executorId(), 0);
  }
}
