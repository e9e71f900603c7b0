/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflowonspark.base.OptionValues;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.config.ClusterOptions;
import org.tensorflowonspark.cluster.config.Role;
import org.tensorflowonspark.cluster.control.Event;
import org.tensorflowonspark.cluster.control.Member;
import org.tensorflowonspark.cluster.control.Progress;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.node.NodeFunction;
import org.tensorflowonspark.cluster.node.NodeSpec;
import org.tensorflowonspark.cluster.spark.Executors;

/**
 * One running cluster as its owner on the driver sees it. Any thread; {@link #train}, {@link
 * #load}, {@link #await} and {@link #close} block.
 */
public final class ClusterHandle implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterHandle.class);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private final String clusterId;
  private final OptionValues options;
  private final ClusterController controller;
  private final List<Member> members;
  private final Feeder feeder;
  private boolean noMoreFeeds;
  private boolean closed;

  private ClusterHandle(
      String clusterId,
      OptionValues options,
      ClusterController controller,
      List<Member> members,
      Feeder feeder) {
    this.clusterId = clusterId;
    this.options = options;
    this.controller = controller;
    this.members = members;
    this.feeder = feeder;
  }

  /**
   * Starts one node for each role and returns when all have checked in; their programs run from
   * then on.
   */
  public static ClusterHandle start(
      SparkContext context,
      List<Role> roles,
      Map<String, ?> explicitOptions,
      Consumer<Progress> progress,
      NodeFunction<?> program) {
    OptionValues options =
        ClusterOptions.TABLE.resolve(explicitOptions, Executors.settings(context.conf()));
    StartJob.checkSerializable(program);
    warnIfOpen(context);
    String clusterId = newId();
    byte[] secret = new byte[32];
    RANDOM.nextBytes(secret);
    try {
      List<String> places =
          Placement.choose(context, roles.size(), options.get(ClusterOptions.SLOT_TIMEOUT));
      ClusterController controller =
          new ClusterController(context, clusterId, roles.size(), options, progress);
      try {
        NodeSpec spec =
            new NodeSpec(
                clusterId,
                0,
                secret,
                controller.endpointName(),
                roles,
                options,
                StartJob.hadoopConfiguration(context),
                StartJob.workingDirectory(context),
                program);
        List<Member> members = new StartJob(context, spec, places, controller).run();
        LOG.info(
            "Cluster {} runs: {}",
            clusterId,
            members.stream().map(Member::describe).collect(Collectors.joining("; ")));
        return new ClusterHandle(
            clusterId,
            options,
            controller,
            members,
            new Feeder(context, spec, members, controller));
      } catch (RuntimeException | InterruptedException e) {
        controller.close();
        throw e;
      }
    } catch (InterruptedException e) {
      throw interrupted("starting", e);
    }
  }

  /** Nodes that the executors have places for now. */
  public static int offered(SparkContext context, Map<String, ?> explicitOptions) {
    OptionValues options =
        ClusterOptions.TABLE.resolve(explicitOptions, Executors.settings(context.conf()));
    try {
      int places = Placement.offered(context, options.get(ClusterOptions.SLOT_TIMEOUT));
      LOG.info("The executors have places for {} node(s)", places);
      return places;
    } catch (InterruptedException e) {
      throw interrupted("looking for executors", e);
    }
  }

  /** Says once in an application what it means that Spark authenticates nobody. */
  private static void warnIfOpen(SparkContext context) {
    boolean onThisMachine = context.master().startsWith("local");
    if (!onThisMachine
        && !context.conf().getBoolean("spark.authenticate", false)
        && WARNED.compareAndSet(false, true)) {
      LOG.warn(
          "spark.authenticate is off: whoever reaches the driver's or an executor's RPC port can"
              + " read a cluster's secret and join it. Tensors between nodes are authenticated with"
              + " that secret all the same. Set spark.authenticate=true to close this.");
    }
  }

  private static String newId() {
    byte[] bytes = new byte[5];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** The cluster's id, as it stands in logs and thread names. */
  public String id() {
    return clusterId;
  }

  /** The nodes, by rank. */
  public List<Member> members() {
    return members;
  }

  /** See {@code TFCluster.train}. */
  public FeedSummary train(String feed, Dataset<?> data, Epochs epochs) {
    checkOpen();
    try {
      return feeder.feed(feed, data, epochs, false);
    } catch (InterruptedException e) {
      throw interrupted("feeding", e);
    }
  }

  /** See {@code TFCluster.load}. */
  public FeedSummary load(String feed, Dataset<?> data) {
    checkOpen();
    try {
      return feeder.feed(feed, data, Epochs.of(1).deterministic(), true);
    } catch (InterruptedException e) {
      throw interrupted("feeding", e);
    }
  }

  /** See {@code TFCluster.inference}. */
  public Dataset<Row> inference(String feed, Dataset<?> data) {
    checkOpen();
    try {
      return feeder.inference(feed, data);
    } catch (InterruptedException e) {
      throw interrupted("preparing inference", e);
    }
  }

  private synchronized void checkOpen() {
    controller.throwIfFailed();
    if (closed || noMoreFeeds) {
      throw new TfosException(
          ClusterError.CLOSED,
          "Cluster " + clusterId + " takes no more rows: its feeds have been ended",
          "Feed before await() and close(), or start another cluster.");
    }
  }

  /**
   * Ends the feeds and waits until every program has returned.
   *
   * @param timeout how long to wait; null for as long as the nodes are alive
   * @return the nodes' results in serialised form, by rank
   */
  public List<byte[]> await(@Nullable Duration timeout) {
    synchronized (this) {
      if (!noMoreFeeds) {
        noMoreFeeds = true;
        controller.publish(new Event.NoMoreFeeds());
      }
    }
    try {
      Duration limit = timeout == null ? Duration.ofDays(365) : timeout;
      List<byte[]> results = new ArrayList<>();
      boolean all =
          controller.await(
              () -> {
                results.clear();
                controller.nodes().forEach(node -> results.add(node.result));
                return controller.nodes().stream().allMatch(node -> node.finished);
              },
              limit);
      if (!all) {
        RuntimeException late = tooLate(limit);
        throw controller.failing(late);
      }
      return results;
    } catch (InterruptedException e) {
      throw interrupted("waiting for the nodes", e);
    }
  }

  private RuntimeException tooLate(Duration limit) throws InterruptedException {
    List<String> running = new ArrayList<>();
    boolean unused =
        controller.await(
            () -> {
              controller.nodes().stream()
                  .filter(node -> !node.finished)
                  .forEach(node -> running.add(node.member.describe() + ", which " + node.doing));
              return true;
            },
            Duration.ZERO);
    return new TfosException(
        ClusterError.CLOSE_TIMEOUT,
        "%d program(s) still run %d s after their feeds ended: %s"
            .formatted(running.size(), limit.toSeconds(), String.join("; ", running)),
        "Let the program return when its feed ends, or raise spark.tfos.cluster.closeTimeout.");
  }

  /**
   * Ends the cluster: in good order after its programs have returned, at once when it has failed.
   *
   * @throws RuntimeException the first failure, unless an earlier call has thrown it
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try {
      if (!controller.hasThrown()) {
        List<byte[]> unused = await(options.get(ClusterOptions.CLOSE_TIMEOUT));
      }
    } finally {
      controller.close();
    }
  }

  /** Ends the cluster at once; programs are interrupted. */
  public void abort() {
    synchronized (this) {
      closed = true;
    }
    controller.close();
  }

  static RuntimeException interrupted(String doing, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new TfosException(
        ClusterError.CANCELLED, "The calling thread was interrupted while " + doing, "", e);
  }
}
