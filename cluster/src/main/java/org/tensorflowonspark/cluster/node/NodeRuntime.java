/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkEnv;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.config.ClusterOptions;
import org.tensorflowonspark.cluster.control.Activity;
import org.tensorflowonspark.cluster.control.Event;
import org.tensorflowonspark.cluster.control.Member;
import org.tensorflowonspark.cluster.control.NodeMessage;
import org.tensorflowonspark.cluster.feed.FeedJob;
import org.tensorflowonspark.cluster.feed.FeedReceiver;
import org.tensorflowonspark.cluster.feed.FeedSettings;
import org.tensorflowonspark.cluster.feed.NodeAddresses;
import org.tensorflowonspark.cluster.spark.DriverConnection;
import org.tensorflowonspark.cluster.spark.Executors;
import org.tensorflowonspark.cluster.transport.Membership;
import org.tensorflowonspark.cluster.transport.NodeTransport;
import org.tensorflowonspark.cluster.transport.RpcService;
import org.tensorflowonspark.cluster.transport.TransportMode;
import org.tensorflowonspark.cluster.transport.TransportSettings;

/**
 * One node inside an executor: owns the data plane, the feeds and the scratch directory, runs the
 * program on one thread and keeps in touch with the driver on another. The second thread outlives
 * the first and closes everything.
 */
final class NodeRuntime {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRuntime.class);
  private static final SecureRandom RANDOM = new SecureRandom();

  /** How long an interrupted program may take to end before the node is closed around it. */
  private static final Duration PROGRAM_END = Duration.ofMillis(3500);

  private final NodeSpec spec;
  private final Member member;
  private final DriverLink driver;
  private final Scratch scratch;
  private final NodeTransport transport;
  private final @Nullable FeedReceiver receiver;
  private final Activity activity = new Activity();
  private final CountDownLatch programEnded = new CountDownLatch(1);
  private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
  private @Nullable Thread programThread;
  private @Nullable Context context;
  private volatile boolean stopping;

  private NodeRuntime(NodeSpec spec, int rank) {
    this.spec = spec;
    long incarnation = RANDOM.nextLong();
    Duration silence = spec.options().get(ClusterOptions.SILENCE_TIMEOUT);
    this.driver = new DriverLink(DriverConnection.to(spec.endpoint()), rank, incarnation, silence);
    this.scratch = Scratch.create(spec.clusterId(), rank);
    try {
      boolean reads = rank < spec.workers();
      FeedReceiver feeds =
          reads
              ? new FeedReceiver(
                  FeedJob.clusterKey(spec.clusterId(), spec.attempt()),
                  rank,
                  spec.workers(),
                  FeedSettings.from(spec.options()))
              : null;
      this.receiver = feeds;
      try {
        this.transport = openTransport(rank, feeds);
      } catch (RuntimeException e) {
        closeReceiver();
        throw e;
      }
    } catch (RuntimeException e) {
      scratch.close();
      throw e;
    }
    this.member =
        new Member(
            rank,
            spec.roles().get(rank),
            spec.taskIndex(rank),
            incarnation,
            Executors.currentId(),
            Executors.currentHost(),
            ProcessHandle.current().pid(),
            NodeAddresses.format(transport.address()));
  }

  private NodeTransport openTransport(int rank, @Nullable FeedReceiver feeds) {
    RpcService service = feeds == null ? RpcService.none() : feeds::handle;
    return NodeTransport.open(
        Membership.node(spec.clusterId(), spec.attempt(), rank, spec.secret()),
        Executors.currentHost(),
        scratch.directory(),
        TransportSettings.of(Executors.settings(Executors.currentConf()))
            .withMode(TransportMode.parse(spec.options().get(ClusterOptions.TRANSPORT))),
        service);
  }

  static void launch(NodeSpec spec, int rank) {
    NodeRuntime node = new NodeRuntime(spec, rank);
    try {
      node.driver.say(new NodeMessage.CheckIn(spec.clusterId(), node.member));
    } catch (RuntimeException e) {
      node.closeAll();
      throw e;
    }
    Thread control = new Thread(node::keepInTouch, "tfos-control-" + spec.clusterId() + "-" + rank);
    prepare(control, node.loader);
    control.start();
  }

  /** A defect of a node must not end the executor, as Spark's own handler would have it. */
  private static void prepare(Thread thread, ClassLoader loader) {
    thread.setDaemon(true);
    thread.setContextClassLoader(loader);
    thread.setUncaughtExceptionHandler(
        (t, e) -> LOG.error("Thread {} ended by a defect", t.getName(), e));
  }

  // The control thread.

  private void keepInTouch() {
    boolean driverThere = true;
    try {
      int seen = 0;
      while (!stopping) {
        List<Event> events = Event.decode(driver.poll(seen, activity.step(), activity.doing()));
        seen += events.size();
        events.forEach(this::on);
      }
    } catch (RuntimeException | Error e) {
      driverThere = false;
      LOG.debug("The driver of cluster {} is gone", spec.clusterId(), e);
      stop(
          new TfosException(
              ClusterError.DRIVER_GONE,
              "The driver of cluster " + spec.clusterId() + " is gone or refuses this node",
              "See the driver's log.",
              e));
    } finally {
      end(driverThere);
    }
  }

  private void on(Event event) {
    if (event instanceof Event.Roster roster) {
      startProgram(roster.members());
    } else if (event instanceof Event.Stop e) {
      stop(
          new TfosException(
              ClusterError.STOPPED, "The driver stopped the cluster: " + e.reason(), ""));
    } else if (event instanceof Event.Returned e) {
      Context running = context;
      if (running != null) {
        running.returned(e.rank());
      }
    } else if (receiver != null) {
      receiver.on(event);
    }
  }

  private void startProgram(List<Member> roster) {
    Context started =
        new Context(spec, member, roster, driver, transport, receiver, activity, scratch);
    context = started;
    Thread thread =
        new Thread(
            () -> runProgram(started), "tfos-node-" + spec.clusterId() + "-" + member.rank());
    prepare(thread, loader);
    programThread = thread;
    activity.doing("runs its program");
    thread.start();
  }

  private void stop(Throwable cause) {
    stopping = true;
    Context running = context;
    if (running != null) {
      running.abort(cause);
    }
    if (receiver != null) {
      receiver.abort(cause);
    }
    transport.abort(cause);
    Thread thread = programThread;
    if (thread != null) {
      thread.interrupt();
    }
  }

  private void end(boolean driverThere) {
    try {
      Thread thread = programThread;
      if (thread != null && !programEnded.await(PROGRAM_END.toMillis(), TimeUnit.MILLISECONDS)) {
        Throwable where = new IllegalStateException("The program is still here");
        where.setStackTrace(thread.getStackTrace());
        LOG.warn(
            "The program of {} does not end although it was interrupted; closing around it",
            member.describe(),
            where);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closeAll();
      if (driverThere) {
        sayLeft();
      }
    }
  }

  private void sayLeft() {
    try {
      driver.left();
    } catch (RuntimeException e) {
      LOG.debug("The driver did not wait for the end of {}", member.describe(), e);
    }
  }

  private void closeAll() {
    closeReceiver();
    transport.close();
    scratch.close();
  }

  private void closeReceiver() {
    if (receiver != null) {
      receiver.close();
    }
  }

  // The program's thread.

  private void runProgram(Context running) {
    try {
      Object result = spec.program().run(running);
      running.close();
      if (receiver != null) {
        receiver.end();
      }
      activity.doing("has finished");
      byte[] bytes = serialize(result);
      if (!stopping) {
        boolean unused = Thread.interrupted(); // the program's own doing; it must not stop us
        driver.finished(activity.step(), bytes);
      }
    } catch (Throwable t) { // whatever it is, it is the user's to read
      fail(t);
    } finally {
      running.close();
      programEnded.countDown();
    }
  }

  private void fail(Throwable failure) {
    activity.doing("has failed");
    if (stopping) {
      LOG.debug("The program of {} ended while it was stopped", member.describe(), failure);
      return;
    }
    LOG.error("The program of {} failed", member.describe(), failure);
    try {
      boolean unused = Thread.interrupted(); // the program's own doing; it must not stop us
      // Before peers can notice: so the driver hears the cause before its consequences.
      driver.failed(activity.step(), failure);
    } catch (RuntimeException e) {
      LOG.warn("The driver could not be told of the failure of {}", member.describe(), e);
      stop(failure);
    }
  }

  private static byte[] serialize(@Nullable Object result) {
    if (result == null) {
      return new byte[0];
    }
    try {
      ByteBuffer bytes =
          SparkEnv.get()
              .closureSerializer()
              .newInstance()
              .serialize(result, scala.reflect.ClassTag$.MODULE$.Object());
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      return copy;
    } catch (Exception e) { // Scala throws checked exceptions that no signature shows
      throw new TfosException(
          ClusterError.RESULT_UNREADABLE,
          "The program's result of " + result.getClass() + " cannot be serialised",
          "Return a serialisable value, or write it to a file and return its path.",
          e);
    }
  }

  /** The node's directory for files of its own. */
  static final class Scratch implements AutoCloseable {
    private final Path directory;

    private Scratch(Path directory) {
      this.directory = directory;
    }

    static Scratch create(String clusterId, int rank) {
      try {
        // Spark's local directory of this executor: large, and removed with the application.
        Path base = Path.of(Executors.localDirectory());
        return new Scratch(
            java.nio.file.Files.createTempDirectory(base, "tfos-" + clusterId + "-" + rank + "-"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    Path directory() {
      return directory;
    }

    @Override
    public void close() {
      org.apache.commons.io.FileUtils.deleteQuietly(directory.toFile());
    }
  }
}
