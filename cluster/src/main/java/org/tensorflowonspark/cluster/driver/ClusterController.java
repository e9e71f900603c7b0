/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
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
import org.tensorflowonspark.cluster.control.NodeMessage;
import org.tensorflowonspark.cluster.control.Progress;
import org.tensorflowonspark.cluster.spark.DriverEndpoint;

/**
 * The driver's view of one cluster: takes what nodes report, tells them the events, and ends the
 * cluster at the first failure. All waits of users go through {@link #await}, which ends when their
 * condition holds, when the cluster fails, or when their time is over.
 */
final class ClusterController implements DriverEndpoint.Handler, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterController.class);
  private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Duration LOSS_REASON_WAIT = Duration.ofMillis(1200);
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(5);

  private final SparkContext context;
  private final String clusterId;
  private final int size;
  private final OptionValues options;
  private final Consumer<Progress> progress;
  private final DriverEndpoint endpoint;
  private final ExecutorWatch watch;
  private final Ticker ticker;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final TreeMap<Integer, NodeState> nodes = new TreeMap<>();
  private final List<Event> events = new ArrayList<>();
  private final FirstCause firstCause = new FirstCause();
  private @Nullable RuntimeException failure;
  private boolean thrown;
  private boolean started;
  private boolean stopping;

  ClusterController(
      SparkContext context,
      String clusterId,
      int size,
      OptionValues options,
      Consumer<Progress> progress) {
    this.context = context;
    this.clusterId = clusterId;
    this.size = size;
    this.options = options;
    this.progress = progress;
    this.endpoint = DriverEndpoint.open(context, endpointName(), this);
    this.watch = new ExecutorWatch(context, this::executorRemoved, this::contextStopped);
    this.ticker = new Ticker("tfos-driver-" + clusterId, this::tick);
  }

  String endpointName() {
    return "tfos-" + clusterId;
  }

  // What nodes say. Spark's dispatcher threads; nothing here blocks.

  @Override
  public void onMessage(byte[] bytes, String sender, DriverEndpoint.Reply reply) {
    NodeMessage message;
    try {
      message = NodeMessage.decode(bytes);
    } catch (RuntimeException e) {
      LOG.warn("Refused an unreadable message from {}", sender, e);
      reply.refuse("[TFOS-CLUSTER-018] The driver cannot read the message");
      return;
    }
    lock.lock();
    try {
      if (message instanceof NodeMessage.CheckIn checkIn) {
        checkIn(checkIn, sender, reply);
        return;
      }
      NodeState node = nodes.get(message.rank());
      if (node == null || node.member.incarnation() != message.incarnation()) {
        reply.refuse("[TFOS-CLUSTER-018] This start of the node is not part of the cluster");
        return;
      }
      node.lastSeen = System.nanoTime();
      handle(node, message, reply);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void checkIn(NodeMessage.CheckIn message, String sender, DriverEndpoint.Reply reply) {
    if (message.version() != NodeMessage.version() || !message.clusterId().equals(clusterId)) {
      reply.refuse(
          "[TFOS-CLUSTER-018] The driver speaks version %d of cluster %s, the node version %d of %s"
              .formatted(NodeMessage.version(), clusterId, message.version(), message.clusterId()));
      return;
    }
    if (started || stopping) {
      reply.refuse("[TFOS-CLUSTER-018] The cluster has started already, or is stopping");
      return;
    }
    NodeState node = new NodeState(message.member(), sender);
    NodeState earlier = nodes.put(message.rank(), node);
    if (earlier != null) {
      // A start task ran again or twice: the later start stands, the earlier one ends.
      earlier.refuse("[TFOS-CLUSTER-018] A later start of the node has taken its place");
    }
    reply.send(new byte[0]);
    changed.signalAll();
  }

  private void handle(NodeState node, NodeMessage message, DriverEndpoint.Reply reply) {
    if (message instanceof NodeMessage.Poll m) {
      if (m.step() != node.step) {
        node.step = m.step();
      }
      node.doing = m.doing();
      node.hold(reply, m.seen());
      node.answer(events, POLL_NANOS);
      return;
    }
    if (message instanceof NodeMessage.FeedOpened m) {
      node.feeds.put(m.feed(), m.spec());
    } else if (message instanceof NodeMessage.FeedDone m) {
      node.done.put(sessionKey(m.feed(), m.session()), m.complete() ? m.rows() : -1 - m.rows());
    } else if (message instanceof NodeMessage.Report m) {
      ticker.callback(() -> progress.accept(m.progress()));
    } else if (message instanceof NodeMessage.Finished m) {
      node.finished = true;
      node.step = m.step();
      node.doing = "has finished";
      node.result = m.result();
      if (node.member.role() != Role.EVALUATOR) {
        events.add(new Event.Returned(m.rank()));
        publish();
      }
    } else if (message instanceof NodeMessage.Failed m) {
      node.step = m.step();
      node.doing = "has failed";
      failed(node, m);
    } else if (message instanceof NodeMessage.Left) {
      // A node that leaves before its program has returned, untold, has broken down.
      lost(node, ClusterError.NODE_LOST, "ended by a defect");
      node.left = true;
    }
    reply.send(new byte[0]);
  }

  private void failed(NodeState node, NodeMessage.Failed message) {
    NodeFailedException exception =
        new NodeFailedException(
            ClusterError.NODE_FAILED,
            node.member,
            node.step,
            "%s failed at step %d: %s"
                .formatted(capital(node.member.describe()), node.step, message.failure().summary()),
            "See the cause for the node's stack.",
            message.failure().toException());
    if (stopping) {
      fold(exception);
    } else if (message.failure().isConsequence()) {
      firstCause.consequence(exception);
    } else {
      firstCause.cause(exception);
    }
    decide();
  }

  /** A failure that comes after the first one goes under it. */
  private void fold(NodeFailedException later) {
    if (failure instanceof NodeFailedException first) {
      first.addSuppressed(later);
    }
  }

  @Override
  public void onDisconnected(String sender) {
    lock.lock();
    try {
      for (NodeState node : nodes.values()) {
        if (node.sender.equals(sender)) {
          lost(node, ClusterError.NODE_LOST, "was lost");
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void lost(NodeState node, ClusterError error, String how) {
    if (node.left) {
      return;
    }
    node.left = true;
    node.drop();
    changed.signalAll();
    if (!node.finished) {
      node.loss = () -> lostForAReason(node, error, how);
      // Spark learns why an executor went a moment after its connection broke.
      ticker.schedule(() -> settle(node), LOSS_REASON_WAIT);
    }
  }

  /** Decides about a node that was lost, unless that has been done. */
  private void settle(NodeState node) {
    lock.lock();
    try {
      Runnable loss = node.loss;
      if (loss != null) {
        node.loss = null;
        loss.run();
      }
    } finally {
      lock.unlock();
    }
  }

  private void lostForAReason(NodeState node, ClusterError error, String how) {
    String why = watch.reason(node.member.executorId());
    NodeFailedException exception =
        new NodeFailedException(
            error,
            node.member,
            node.step,
            "%s %s at step %d%s; it last said that it %s"
                .formatted(
                    capital(node.member.describe()),
                    how,
                    node.step,
                    why == null ? "" : " (" + why + ")",
                    node.doing),
            "Look into the executor's log for the reason (killed for memory, preempted,"
                + " System.exit in the program, host down).",
            null);
    if (stopping) {
      fold(exception);
    } else {
      firstCause.cause(exception);
      decide();
    }
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private void executorRemoved(String executorId) {
    lock.lock();
    try {
      for (NodeState node : nodes.values()) {
        if (node.member.executorId().equals(executorId)) {
          lost(node, ClusterError.NODE_LOST, "was lost");
          settle(node);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void contextStopped() {
    fail(
        new TfosException(
            ClusterError.CONTEXT_STOPPED,
            "The SparkContext was stopped while cluster " + clusterId + " ran",
            "Close the cluster before the SparkContext."));
  }

  @Override
  public void onStop() {
    contextStopped();
  }

  // Time.

  private void tick() {
    lock.lock();
    try {
      long silence = options.get(ClusterOptions.SILENCE_TIMEOUT).toNanos();
      for (NodeState node : nodes.values()) {
        node.answer(events, POLL_NANOS);
        if (!node.left && System.nanoTime() - node.lastSeen > silence) {
          lost(
              node,
              ClusterError.NODE_SILENT,
              "has been silent for %d s and counts as lost"
                  .formatted(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - node.lastSeen)));
          settle(node);
        }
      }
      decide();
    } finally {
      lock.unlock();
    }
  }

  private void decide() {
    if (failure == null) {
      RuntimeException decided = firstCause.decide();
      if (decided != null) {
        fail(decided);
      }
    }
  }

  /** Ends the cluster with {@code cause} unless it has ended. */
  void fail(RuntimeException cause) {
    lock.lock();
    try {
      if (failure == null && !stopping) {
        failure = cause;
        stop(String.valueOf(cause.getMessage()));
      }
    } finally {
      lock.unlock();
    }
  }

  private void stop(String reason) {
    stopping = true;
    events.add(new Event.Stop(reason));
    publish();
    // Off this thread: the DAG scheduler may be the one that waits for us.
    ticker.execute(this::cancelJobs);
  }

  private void cancelJobs() {
    if (!context.isStopped()) {
      context.cancelJobsWithTag(jobTag(), "The TensorFlow cluster " + clusterId + " has ended");
    }
  }

  /** Tag of every Spark job of this cluster. */
  String jobTag() {
    return "tfos-" + clusterId;
  }

  private void publish() {
    nodes.values().forEach(node -> node.answer(events, POLL_NANOS));
    changed.signalAll();
  }

  // What users of this class do.

  /** Ends the cluster with a failure that the caller throws. */
  RuntimeException failing(RuntimeException cause) {
    lock.lock();
    try {
      fail(cause);
      thrown = true;
      return cause;
    } finally {
      lock.unlock();
    }
  }

  /** Tells all nodes. */
  void publish(Event event) {
    lock.lock();
    try {
      throwIfFailed();
      events.add(event);
      publish();
    } finally {
      lock.unlock();
    }
  }

  /** All nodes are there: tells them the roster. */
  List<Member> begin(Duration timeout, String what) throws InterruptedException {
    lock.lock();
    try {
      boolean all =
          awaitLocked(
              () -> nodes.size() == size && nodes.values().stream().noneMatch(n -> n.left),
              timeout);
      if (!all) {
        throw new TfosException(
            ClusterError.START_TIMEOUT,
            "%d of %d nodes checked in within %d s; missing are ranks %s"
                .formatted(nodes.size(), size, timeout.toSeconds(), missing()),
            what);
      }
      started = true;
      List<Member> members = members();
      events.add(new Event.Roster(members));
      publish();
      return members;
    } finally {
      lock.unlock();
    }
  }

  /** The job that starts nodes failed, which matters only while some are missing. */
  void startFailed(RuntimeException cause) {
    lock.lock();
    try {
      // Spark tries a task again whose executor died just after its node had checked in.
      if (!started) {
        fail(cause);
      }
    } finally {
      lock.unlock();
    }
  }

  private List<Integer> missing() {
    List<Integer> ranks = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      if (!nodes.containsKey(rank)) {
        ranks.add(rank);
      }
    }
    return ranks;
  }

  List<Member> members() {
    lock.lock();
    try {
      return nodes.values().stream().map(n -> n.member).toList();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until {@code condition} holds; it is evaluated under the lock.
   *
   * @return whether it held before {@code timeout}
   * @throws RuntimeException the cluster's failure, as soon as there is one
   */
  boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
    lock.lock();
    try {
      return awaitLocked(condition, timeout);
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitLocked(BooleanSupplier condition, Duration timeout)
      throws InterruptedException {
    long left = timeout.toNanos();
    while (true) {
      throwIfFailed();
      if (condition.getAsBoolean()) {
        return true;
      }
      if (left <= 0) {
        return false;
      }
      left = changed.awaitNanos(left);
    }
  }

  /** The nodes; only to be read inside a condition given to {@link #await}. */
  List<NodeState> nodes() {
    return List.copyOf(nodes.values());
  }

  static String sessionKey(String feed, int session) {
    return feed + "#" + session;
  }

  /** Throws the failure of the cluster, if there is one. */
  void throwIfFailed() {
    RuntimeException cause = failure;
    if (cause != null) {
      thrown = true;
      throw cause;
    }
  }

  /** Gives a failure that is on its way (a lost node, say) a moment to be decided. */
  @Nullable RuntimeException failureWithin(Duration time) throws InterruptedException {
    lock.lock();
    try {
      long left = time.toNanos();
      while (failure == null && left > 0) {
        left = changed.awaitNanos(left);
      }
      thrown |= failure != null;
      return failure;
    } finally {
      lock.unlock();
    }
  }

  /** Whether there is nothing to wait for: the cluster failed, and its owner has been told. */
  boolean hasThrown() {
    lock.lock();
    try {
      return thrown;
    } finally {
      lock.unlock();
    }
  }

  /** Stops all nodes, waits until they have given everything back, and closes the endpoint. */
  @Override
  public void close() {
    try {
      lock.lock();
      try {
        if (!stopping) {
          stop("the driver closed the cluster");
        }
        long left = LEAVE_TIMEOUT.toNanos();
        while (!context.isStopped() && !nodes.values().stream().allMatch(n -> n.left) && left > 0) {
          left = changed.awaitNanos(left);
        }
        for (NodeState node : nodes.values()) {
          if (!node.left && !context.isStopped()) {
            LOG.warn(
                "{} has not ended within {} s; it {}",
                node.member.describe(),
                LEAVE_TIMEOUT.toSeconds(),
                node.doing);
          }
        }
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      cancelJobs(); // the ticker may not get to it any more
      ticker.close();
      watch.close();
      if (!context.isStopped()) {
        endpoint.close();
      }
    }
  }
}
