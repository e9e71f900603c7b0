/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.jspecify.annotations.Nullable;

/** Hears from Spark which executors went away and why. */
final class ExecutorWatch implements AutoCloseable {
  private final SparkContext context;
  private final Map<String, String> reasons = new ConcurrentHashMap<>();
  private final SparkListener listener;

  ExecutorWatch(SparkContext context, Consumer<String> removed, Runnable stopped) {
    this.context = context;
    this.listener =
        new SparkListener() {
          @Override
          public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
            reasons.put(event.executorId(), event.reason());
            removed.accept(event.executorId());
          }

          @Override
          public void onApplicationEnd(SparkListenerApplicationEnd event) {
            stopped.run();
          }
        };
    context.addSparkListener(listener);
  }

  /** Why Spark removed the executor, or null while it has not said so. */
  @Nullable String reason(String executorId) {
    return reasons.get(executorId);
  }

  @Override
  public void close() {
    context.removeSparkListener(listener);
  }
}
