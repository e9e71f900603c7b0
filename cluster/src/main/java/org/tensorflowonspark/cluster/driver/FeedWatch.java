/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Hears of feed tasks that fail for a reason that no other attempt would mend, such as a null in a
 * column, so that the cluster need not wait until Spark has tried as often as it would.
 */
final class FeedWatch implements AutoCloseable {
  private static final String JOB_TAGS = "spark.job.tags";

  private final SparkContext context;
  private final SparkListener listener;

  /** Watches the tasks of jobs that carry {@code tag}. */
  FeedWatch(SparkContext context, String tag, Consumer<TfosException> hopeless) {
    this.context = context;
    Set<Object> stages = ConcurrentHashMap.newKeySet();
    this.listener =
        new SparkListener() {
          @Override
          public void onJobStart(SparkListenerJobStart event) {
            if (hasTag(event.properties(), tag)) {
              stages.addAll(CollectionConverters.asJava(event.stageIds()));
            }
          }

          @Override
          public void onTaskEnd(SparkListenerTaskEnd event) {
            if (stages.contains(event.stageId())
                && event.reason() instanceof ExceptionFailure failure
                && failure.exception().isDefined()) {
              TfosException coded = Failures.coded(failure.exception().get());
              if (coded != null && !coded.code().startsWith("TFOS-TRANSPORT")) {
                hopeless.accept(coded);
              }
            }
          }
        };
    context.addSparkListener(listener);
  }

  private static boolean hasTag(@Nullable Properties properties, String tag) {
    String tags = properties == null ? null : properties.getProperty(JOB_TAGS);
    return tags != null && Set.of(tags.split(",", -1)).contains(tag);
  }

  @Override
  public void close() {
    context.removeSparkListener(listener);
  }
}
