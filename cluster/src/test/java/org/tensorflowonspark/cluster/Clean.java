/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.TrainableModel;
import org.tensorflowonspark.testkit.Eventually;
import org.tensorflowonspark.testkit.LeakCheck;
import org.tensorflowonspark.testkit.LocalCluster;

/**
 * Asserts what holds after every end of a cluster, good or bad: 5 s later nothing of ours is left
 * in driver and executors, and the application has all its executors for the next cluster.
 */
final class Clean {
  private static final Duration GONE = Duration.ofSeconds(5);

  /** Folders of test runs beside this one. */
  private static final Pattern OF_OTHERS =
      Pattern.compile("file /(tmp|dev/shm)/tfos-(cluster-\\d+|bench)-?\\d+");

  private static final Duration REPLACED = Duration.ofSeconds(60);

  private final LocalCluster spark;
  private final LeakCheck leaks;

  private Clean(LocalCluster spark, boolean models) {
    this.spark = spark;
    // Earlier tests may have cost an executor, and Spark's own lazy start is no leak.
    spark.awaitExecutors(REPLACED);
    String model = models ? Data.model("multi-dim-mlp") : "";
    spark.onEachExecutor(() -> warmUp(model));
    this.leaks = LeakCheck.before(spark);
  }

  /** Notes what there is before the cluster under test starts. */
  static Clean before(LocalCluster spark) {
    return new Clean(spark, false);
  }

  /** As {@link #before}, for programs that use TensorFlow. */
  static Clean beforeModels(LocalCluster spark) {
    return new Clean(spark, true);
  }

  /** TensorFlow's own threads last as long as the process, and are named after who came first. */
  private static boolean warmUp(String model) {
    if (!model.isEmpty()) {
      try (TrainableModel loaded = TrainableModel.load(Path.of(model), ModelOptions.defaults());
          Batch batch = loaded.newBatch(1)) {
        batch.setRows(1);
        ByteBuffer labels = batch.buffer("y");
        while (labels.hasRemaining()) {
          labels.put((byte) 0);
        }
        loaded.gradients(batch).close();
      }
    }
    return true;
  }

  /** To be called at once after the cluster's end. */
  void check() {
    check(line -> true);
  }

  /**
   * As {@link #check}, after executors were killed: what these have left on disk is removed by
   * Spark with the application, or swept by a later node.
   */
  void checkAfterKill() {
    check(line -> !line.startsWith("file "));
  }

  private void check(Predicate<String> counts) {
    Predicate<String> ours = counts.and(line -> !OF_OTHERS.matcher(line).matches());
    try {
      Eventually.within(
          Faults.promised(GONE),
          "everything is gone",
          () -> leaks.leaks().stream().noneMatch(ours));
    } catch (TfosException e) {
      leaks.assertClean(Duration.ZERO); // for its words
    }
    spark.awaitExecutors(REPLACED);
  }

  /** Whether a thread of ours runs in the process {@code pid} that did not before. */
  boolean hasThreads(long pid) {
    return leaks.leaks().stream().anyMatch(l -> l.contains("(pid " + pid + ") thread tfos-"));
  }
}
