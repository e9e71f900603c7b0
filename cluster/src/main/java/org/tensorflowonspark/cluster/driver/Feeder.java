/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.columns.ColumnPlan;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.config.ClusterOptions;
import org.tensorflowonspark.cluster.config.Role;
import org.tensorflowonspark.cluster.control.Event;
import org.tensorflowonspark.cluster.control.Member;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.feed.FeedJob;
import org.tensorflowonspark.cluster.feed.FeedSettings;
import org.tensorflowonspark.cluster.feed.FeedSpec;
import org.tensorflowonspark.cluster.feed.FeedTask;
import org.tensorflowonspark.cluster.feed.InferenceTask;
import org.tensorflowonspark.cluster.feed.NodeAddresses;
import org.tensorflowonspark.cluster.node.NodeSpec;
import org.tensorflowonspark.cluster.spark.DataFrames;
import org.tensorflowonspark.cluster.spark.Executors;
import org.tensorflowonspark.cluster.transport.TransportMode;
import org.tensorflowonspark.cluster.transport.TransportSettings;

/** Sends data sets to the nodes: checks columns, runs the feed job, accounts for every row. */
final class Feeder {
  private final SparkContext context;
  private final NodeSpec spec;
  private final List<Member> readers;
  private final ClusterController controller;
  private final AtomicInteger sessions = new AtomicInteger();

  Feeder(SparkContext context, NodeSpec spec, List<Member> members, ClusterController controller) {
    this.context = context;
    this.spec = spec;
    this.readers = members.stream().filter(m -> m.role() != Role.EVALUATOR).toList();
    this.controller = controller;
  }

  /** Feeds {@code data} and returns when programs have used it, or have stored it if loaded. */
  FeedSummary feed(String feed, Dataset<?> data, Epochs epochs, boolean loaded)
      throws InterruptedException {
    byte[] columns = awaitReaders(feed);
    if (columns.length == 0) {
      return new FeedSummary(0, 0, false);
    }
    FeedSpec opened = FeedSpec.decode(columns);
    ColumnPlan plan = ColumnPlan.of(data.schema(), opened.targets());
    int session = sessions.getAndIncrement();
    long fed =
        guarded(() -> run(data, epochs, loaded, job(feed, session, plan, epochs, opened.inStep())));
    controller.publish(new Event.FeedComplete(feed, session, fed));
    return loaded ? new FeedSummary(fed, 0, true) : awaitUse(feed, session, fed, epochs.count());
  }

  private long run(Dataset<?> data, Epochs epochs, boolean loaded, FeedJob job) {
    // Spark may run the stages before a shuffle right here.
    JavaRDD<InternalRow> rows = data.queryExecution().toRdd().toJavaRDD();
    controller.publish(
        new Event.FeedStarted(
            job.feed(),
            job.session(),
            rows.getNumPartitions(),
            epochs.count(),
            epochs.isShuffled(),
            epochs.seed(),
            epochs.isDeterministic(),
            loaded,
            context.newRddId()));
    FeedTask task = new FeedTask(job);
    return rows
        .mapPartitionsWithIndex((index, partition) -> feedPartition(task, index, partition), true)
        .collect()
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** The rows of {@code data}, each with the answer of a node; evaluated by Spark when needed. */
  Dataset<Row> inference(String feed, Dataset<?> data) throws InterruptedException {
    byte[] bytes = awaitReaders(feed);
    FeedSpec opened =
        bytes.length == 0 ? new FeedSpec(List.of(), 1, false, List.of()) : FeedSpec.decode(bytes);
    if (opened.answers().isEmpty()) {
      throw new TfosException(
          ClusterError.NO_READER,
          "No program answers feed '" + feed + "'",
          "Open it in the program with ctx.feed(...).named(\"" + feed + "\").openToAnswer(...).");
    }
    StructType schema = Inference.schema(data.schema(), opened.answers());
    ColumnPlan plan = ColumnPlan.of(data.schema(), opened.targets());
    FeedJob job = job(feed, sessions.getAndIncrement(), plan, Epochs.of(1), false);
    InferenceTask task = new InferenceTask(job, opened);
    JavaRDD<InternalRow> answered =
        data.queryExecution()
            .toRdd()
            .toJavaRDD()
            .mapPartitionsWithIndex(
                (index, rows) -> task.run(index, TaskContext.get().attemptNumber(), rows), true);
    return DataFrames.of(data.sparkSession(), answered, schema);
  }

  private FeedJob job(String feed, int session, ColumnPlan plan, Epochs epochs, boolean inStep) {
    return new FeedJob(
        spec.clusterId(),
        spec.attempt(),
        spec.secret(),
        feed,
        session,
        plan,
        readers.stream().map(m -> NodeAddresses.parse(m.address())).toList(),
        epochs.isDeterministic(),
        inStep,
        FeedSettings.from(spec.options()),
        TransportSettings.of(Executors.settings(context.conf()))
            .withMode(TransportMode.parse(spec.options().get(ClusterOptions.TRANSPORT))));
  }

  /** Waits until every program that still runs has opened the feed, and gives its columns. */
  private byte[] awaitReaders(String feed) throws InterruptedException {
    Duration patience = spec.options().get(ClusterOptions.PROGRESS_TIMEOUT);
    List<String> missing = new ArrayList<>();
    List<byte[]> specs = new ArrayList<>();
    boolean all =
        controller.await(
            () -> {
              missing.clear();
              specs.clear();
              for (NodeState node : controller.nodes()) {
                byte[] opened = node.feeds.get(feed);
                if (node.member.role() == Role.EVALUATOR || node.finished) {
                  continue;
                }
                if (opened == null) {
                  missing.add(node.member.describe() + ", which " + node.doing);
                } else {
                  specs.add(opened);
                }
              }
              return missing.isEmpty();
            },
            patience);
    if (!all) {
      throw failed(
          new TfosException(
              ClusterError.NO_READER,
              "Feed '%s' was not opened within %d s by %s"
                  .formatted(feed, patience.toSeconds(), String.join("; ", missing)),
              "Open it in the program with ctx.feed(...).open(), or raise"
                  + " spark.tfos.progressTimeout if the program takes longer to get there."));
    }
    for (byte[] other : specs) {
      if (!Arrays.equals(other, specs.get(0))) {
        throw failed(
            new TfosException(
                ClusterError.SPEC_DIFFERS,
                "Nodes opened feed '%s' with different columns: %s and %s"
                    .formatted(feed, FeedSpec.decode(specs.get(0)), FeedSpec.decode(other)),
                "Open it with the same columns on every node."));
      }
    }
    return specs.isEmpty() ? new byte[0] : specs.get(0);
  }

  private RuntimeException failed(RuntimeException cause) {
    return controller.failing(cause);
  }

  /** Runs Spark jobs under the cluster's tag, and makes of their failure what users should read. */
  private long guarded(Callable<Long> jobs) throws InterruptedException {
    context.addJobTag(controller.jobTag());
    FeedWatch watch = new FeedWatch(context, controller.jobTag(), controller::fail);
    try {
      return jobs.call();
    } catch (Exception e) { // Scala throws checked exceptions that no signature shows
      if (e instanceof InterruptedException interrupted) {
        throw failed(ClusterHandle.interrupted("feeding", interrupted));
      }
      boolean isClear = Failures.isOfData(e) || (Failures.isCancelled(e) && !context.isStopped());
      // When a node is the reason, its failure is on its way to the controller.
      RuntimeException first =
          controller.failureWithin(isClear ? Duration.ZERO : Duration.ofSeconds(2));
      if (first != null) {
        throw first;
      }
      throw failed(Failures.ofJob(ClusterError.FEED_FAILED, "feeds the nodes", e));
    } finally {
      watch.close();
      context.removeJobTag(controller.jobTag());
    }
  }

  private static Iterator<Long> feedPartition(FeedTask task, int index, Iterator<InternalRow> rows)
      throws InterruptedException {
    return List.of(task.run(index, attempt(TaskContext.get()), rows)).iterator();
  }

  /** Rises with every attempt of a task, also when Spark runs the whole stage again. */
  private static int attempt(TaskContext task) {
    return (task.stageAttemptNumber() << 16) + task.attemptNumber();
  }

  private FeedSummary awaitUse(String feed, int session, long fed, int epochs)
      throws InterruptedException {
    String key = ClusterController.sessionKey(feed, session);
    Use use = new Use(key);
    Duration patience = spec.options().get(ClusterOptions.PROGRESS_TIMEOUT);
    boolean over = controller.await(use::isOver, Duration.ZERO);
    boolean unused = use.advanced();
    while (!over && !controller.await(use::isOver, patience)) {
      if (!use.advanced()) {
        throw failed(
            new TfosException(
                ClusterError.NO_PROGRESS,
                "No program took a row of feed '%s' for %d s: %s"
                    .formatted(feed, patience.toSeconds(), use.waiting()),
                "Let the program read the feed to its end or close it, or raise"
                    + " spark.tfos.progressTimeout if its steps take that long."));
      }
    }
    if (use.complete() && use.rows() != fed * epochs) {
      throw failed(
          new TfosException(
              ClusterError.ROWS_DIFFER,
              "Feed '%s' sent %d rows for %d epoch(s) and programs got %d"
                  .formatted(feed, fed, epochs, use.rows()),
              "This is a defect of TensorFlowOnSpark: please report it with the driver's log."));
    }
    return new FeedSummary(fed, use.rows(), use.complete());
  }

  /** What programs have done with one session; its methods run under the controller's lock. */
  private final class Use {
    private final String key;
    private long lastSteps = -1;
    private long steps;
    private long rows;
    private boolean complete;
    private List<String> waiting = List.of();

    Use(String key) {
      this.key = key;
    }

    boolean isOver() {
      steps = 0;
      rows = 0;
      complete = true;
      List<String> open = new ArrayList<>();
      for (NodeState node : controller.nodes()) {
        if (node.member.role() == Role.EVALUATOR) {
          continue;
        }
        steps += node.step;
        Long done = node.done.get(key);
        if (done != null) {
          rows += done >= 0 ? done : -1 - done;
          complete &= done >= 0;
        } else if (node.finished) {
          complete = false;
        } else {
          open.add(node.member.describe() + ", which " + node.doing);
        }
      }
      waiting = open;
      return open.isEmpty();
    }

    boolean advanced() {
      boolean moved = steps != lastSteps;
      lastSteps = steps;
      return moved;
    }

    String waiting() {
      return String.join("; ", waiting);
    }

    long rows() {
      return rows;
    }

    boolean complete() {
      return complete;
    }
  }
}
