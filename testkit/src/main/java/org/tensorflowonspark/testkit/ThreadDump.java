/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.status.api.v1.ThreadStackTrace;
import scala.Option;

/** Stacks of our threads, for a person who reads a failed test. */
final class ThreadDump {
  private static final String PREFIX = "tfos-";

  private ThreadDump() {}

  static String of(LocalCluster cluster) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
      if (entry.getKey().getName().startsWith(PREFIX)) {
        add(text, "driver", entry.getKey().getName(), List.of(entry.getValue()));
      }
    }
    SparkContext context = cluster.spark().sparkContext();
    if (!context.isStopped()) {
      cluster.executors().forEach(e -> text.append(ofExecutor(context, e.executorId())));
    }
    return text.toString();
  }

  /** Through the way that Spark's UI uses, which needs no task slot. */
  private static String ofExecutor(SparkContext context, String id) {
    StringBuilder text = new StringBuilder();
    try {
      Option<ThreadStackTrace[]> threads =
          CompletableFuture.supplyAsync(() -> context.getExecutorThreadDump(id))
              .get(5, TimeUnit.SECONDS);
      for (ThreadStackTrace thread : threads.isEmpty() ? new ThreadStackTrace[0] : threads.get()) {
        if (thread.threadName().startsWith(PREFIX)) {
          List<String> frames =
              scala.jdk.javaapi.CollectionConverters.asJava(thread.stackTrace().elems());
          add(text, "executor " + id, thread.threadName(), frames);
        }
      }
    } catch (TimeoutException | ExecutionException e) {
      text.append("  executor ").append(id).append(" gives no stacks: ").append(e).append('\n');
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return text.toString();
  }

  private static void add(StringBuilder text, String where, String name, List<?> frames) {
    text.append("  ").append(where).append(' ').append(name).append('\n');
    frames.forEach(frame -> text.append("    at ").append(frame.toString().trim()).append('\n'));
  }
}
