/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.Option;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.config.ClusterOptions;
import org.tensorflowonspark.cluster.config.Role;
import org.tensorflowonspark.cluster.control.Member;
import org.tensorflowonspark.cluster.control.Progress;
import org.tensorflowonspark.cluster.driver.ClusterHandle;
import org.tensorflowonspark.cluster.driver.FeedSummary;
import org.tensorflowonspark.cluster.driver.Results;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.feed.FeedBuilder;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.cluster.node.NodeFunction;
import org.tensorflowonspark.cluster.node.NodeProgram;

/**
 * A cluster of TensorFlow nodes on the executors of a Spark application. Each node runs the user's
 * program; the driver feeds it rows of DataFrames and hears of its end, good or bad.
 *
 * <pre>{@code
 * try (var cluster = TFCluster.builder(spark).workers(4).start(ctx -> {...})) {
 *   cluster.train(images, Epochs.of(3).shuffled(7));
 * } // close() waits for the programs, and throws the first failure
 * }</pre>
 *
 * <p>Driver side. Methods block and may be called from any thread; several clusters can run in one
 * application, at the same time too. A failure of any node ends the whole cluster: the call under
 * way, or {@link #close}, throws the first one. The SparkContext stays usable.
 *
 * @param <R> what the program returns on each node
 */
public final class TFCluster<R extends @Nullable Object> implements AutoCloseable {
  private final ClusterHandle handle;

  private TFCluster(ClusterHandle handle) {
    this.handle = handle;
  }

  /** Begins the description of a cluster in this session. */
  public static Builder builder(SparkSession spark) {
    return new Builder(spark);
  }

  /**
   * Feeds {@code data} to the programs that read the feed {@code train}, and returns when they have
   * used all of it. May be called again, with other data too.
   *
   * @throws TfosException the first failure of the cluster, or of the data: a column that does not
   *     fit its tensor, a null, a wrong length
   */
  public FeedSummary train(Dataset<?> data, Epochs epochs) {
    return train(FeedBuilder.DEFAULT_NAME, data, epochs);
  }

  /** As {@link #train(Dataset, Epochs)}, for the feed of the given name. */
  public FeedSummary train(String feed, Dataset<?> data, Epochs epochs) {
    return handle.train(feed, data, epochs);
  }

  /**
   * Gives {@code data} to the feed of the given name to keep: programs read it as often as they
   * like, each node its own part. For validation data. Returns when nodes have all rows.
   */
  public FeedSummary load(String feed, Dataset<?> data) {
    return handle.load(feed, data);
  }

  /**
   * Has the rows of {@code data} answered by the programs that opened the feed {@code inference} to
   * answer. Lazy, as Spark's own operators are: rows are sent when an action asks for the result,
   * so use it before {@link #await} and {@link #close}. A task whose executor has a node asks that
   * one.
   *
   * @return every row of {@code data}, in order, with all its columns and one more for each output
   */
  public Dataset<Row> inference(Dataset<?> data) {
    return handle.inference("inference", data);
  }

  /**
   * Ends the feeds and waits until all programs have returned, for as long as their nodes are
   * alive.
   *
   * @return what they returned, by rank
   */
  @SuppressWarnings("unchecked") // the program's own type
  public List<R> await() {
    List<R> results = new ArrayList<>();
    for (byte[] bytes : handle.await(null)) {
      results.add((R) Results.read(bytes));
    }
    return results;
  }

  /** The nodes, by rank. */
  public List<Member> members() {
    return handle.members();
  }

  /** The cluster's id, as it stands in logs. */
  public String id() {
    return handle.id();
  }

  /** Ends the cluster at once; programs are interrupted and nothing is thrown. */
  public void abort() {
    handle.abort();
  }

  /**
   * Ends the feeds, waits for the programs (for {@code spark.tfos.cluster.closeTimeout} at most)
   * and gives everything back.
   *
   * @throws TfosException the cluster's first failure, unless an earlier call has thrown it
   */
  @Override
  public void close() {
    handle.close();
  }

  /** Describes a cluster before its start. */
  public static final class Builder {
    private static final int FROM_SPARK = 0;

    private final SparkSession spark;
    private final Map<String, Object> options = new LinkedHashMap<>();
    private int workers = 1;
    private int evaluators;
    private Consumer<Progress> progress = p -> {};

    private Builder(SparkSession spark) {
      this.spark = spark;
    }

    /** Nodes that train together, the chief among them. */
    public Builder workers(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("A cluster needs at least one worker, not " + count);
      }
      workers = count;
      return this;
    }

    /** As many workers as the executors have task slots when the cluster starts. */
    public Builder workersFromSpark() {
      workers = FROM_SPARK;
      return this;
    }

    /** Adds one node that evaluates beside the training. */
    public Builder evaluator() {
      evaluators = 1;
      return this;
    }

    /** Sets an option of {@link ClusterOptions} for this cluster. */
    public <T> Builder option(Option<T> option, T value) {
      options.put(option.key(), value);
      return this;
    }

    /** Sets an option by its key, as text. */
    public Builder option(String key, String value) {
      options.put(key, value);
      return this;
    }

    /** Hears what programs report; called on a thread of the cluster, one report at a time. */
    public Builder onProgress(Consumer<Progress> listener) {
      progress = listener;
      return this;
    }

    /**
     * Starts the nodes and returns when all have checked in.
     *
     * @throws TfosException when there are too few places, the program cannot be serialised, or a
     *     node does not start
     */
    public TFCluster<@Nullable Void> start(NodeProgram program) {
      NodeFunction<@Nullable Void> function = new Procedure(program);
      return call(function);
    }

    /** As {@link #start}, for a program that returns a value. */
    public <R extends @Nullable Object> TFCluster<R> call(NodeFunction<R> program) {
      int count =
          workers == FROM_SPARK
              ? Math.max(1, ClusterHandle.offered(context(spark), options) - evaluators)
              : workers;
      List<Role> roles = new ArrayList<>();
      roles.add(Role.CHIEF);
      for (int i = 1; i < count; i++) {
        roles.add(Role.WORKER);
      }
      for (int i = 0; i < evaluators; i++) {
        roles.add(Role.EVALUATOR);
      }
      return new TFCluster<>(
          ClusterHandle.start(
              context(spark), List.copyOf(roles), Map.copyOf(options), progress, program));
    }
  }

  /** A program without a result as one with a result that is null. */
  private record Procedure(NodeProgram program) implements NodeFunction<@Nullable Void> {
    @Override
    @SuppressWarnings("NullAway") // the checker does not see that R is @Nullable Void here
    public @Nullable Void run(NodeContext context) throws Exception {
      program.run(context);
      return null;
    }
  }

  static SparkContext context(SparkSession spark) {
    try {
      return spark.sparkContext();
    } catch (RuntimeException | LinkageError e) {
      throw new TfosException(
          ClusterError.NOT_CLASSIC,
          "A " + spark.getClass().getName() + " has no SparkContext, so no executors for nodes",
          "Run the program inside the cluster (spark-submit), with spark.api.mode=classic.",
          e);
    }
  }
}
