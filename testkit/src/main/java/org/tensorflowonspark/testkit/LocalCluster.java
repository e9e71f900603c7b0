/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.function.Function0;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.Utils$;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflowonspark.base.TfosException;

/**
 * A Spark cluster on this machine whose executors are processes of their own, without a Spark
 * distribution: master and workers live in this JVM, everything listens on loopback, executors have
 * this JVM's class path. One at a time in a JVM.
 *
 * <pre>{@code
 * try (LocalCluster cluster = LocalCluster.builder().executors(2).cores(1).start()) {
 *   cluster.spark().range(10).count();
 * }
 * }</pre>
 *
 * <p>{@link #close} ends all of it and returns when no process and no file is left. It may be used
 * from any thread.
 */
public final class LocalCluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalCluster.class);
  private static final Duration END = Duration.ofSeconds(12);

  private final SparkSession spark;
  private final int executors;
  private final Path temp;
  private final Path workDir;
  private final Thread atExit = new Thread(this::end, "testkit-cluster-end");
  private final AtomicBoolean ended = new AtomicBoolean();

  private LocalCluster(SparkSession spark, int executors, Path temp, Path workDir) {
    this.spark = spark;
    this.executors = executors;
    this.temp = temp;
    this.workDir = workDir;
  }

  private static LocalCluster start(ClusterSettings settings, Duration limit) {
    settings.check();
    SparkHome home = SparkHome.check(System.getenv());
    Folders.sweep(home.workDir());
    QuietLogging.install();
    Path temp = Folders.createTemp();
    SparkContext context;
    try {
      context = new SparkContext(settings.toSparkConf(temp));
    } catch (RuntimeException e) {
      remove(temp);
      throw startFailed(e, "");
    }
    LocalCluster cluster =
        new LocalCluster(
            SparkSession.builder().sparkContext(context).getOrCreate(),
            settings.executors(),
            temp,
            home.workDir().resolve(context.applicationId()));
    Runtime.getRuntime().addShutdownHook(cluster.atExit);
    try {
      Folders.own(cluster.workDir);
      cluster.awaitExecutors(limit);
    } catch (RuntimeException e) {
      TfosException failure = startFailed(e, cluster.executorLogs());
      cluster.close();
      throw failure;
    }
    return cluster;
  }

  private static TfosException startFailed(RuntimeException cause, String logs) {
    String tail = logs.length() > 4000 ? "..." + logs.substring(logs.length() - 4000) : logs;
    return new TfosException(
        TestkitError.CLUSTER_START,
        "The local cluster did not start: " + cause.getMessage(),
        tail.isBlank() ? "" : "The executors wrote:\n" + tail,
        cause);
  }

  /** Two executors of one core and 1024 MB, unless told otherwise. */
  public static Builder builder() {
    return new Builder();
  }

  /** The session; whoever has the cluster ends it by {@link #close}, not by stopping this. */
  public SparkSession spark() {
    return spark;
  }

  /** Number of executors that the cluster was started with. */
  public int executorCount() {
    return executors;
  }

  /** The executors' processes that live now, by pid. */
  public List<ExecutorProcess> executors() {
    return ExecutorProcess.of(ProcessHandle.current());
  }

  /** The process of the executor with Spark's id {@code executorId}. */
  public ExecutorProcess executor(String executorId) {
    return executors().stream()
        .filter(e -> e.executorId().equals(executorId))
        .findFirst()
        .orElseThrow(
            () ->
                new TfosException(
                    TestkitError.PROCESS,
                    "No executor '" + executorId + "' among " + executors(),
                    "Ask executors() which ones live; a replaced executor has a new id."));
  }

  /** Waits until all executors, replaced ones included, are registered with the driver. */
  public void awaitExecutors(Duration limit) {
    Eventually.within(
        limit,
        executors + " executors are registered",
        () -> {
          // Not only the numbers: a killed executor stays registered for a moment.
          Set<String> registered = Executors.registeredIds(spark.sparkContext());
          Set<String> living = new TreeSet<>();
          executors().forEach(e -> living.add(e.executorId()));
          return registered.size() == executors && registered.equals(living);
        });
  }

  /**
   * Runs a function once on every executor that is registered now, and gives the results by
   * executor id. Each executor must have a free slot within seconds.
   */
  public <T> Map<String, T> onEachExecutor(Function0<T> function) {
    return new TreeMap<>(Executors.onEach(spark.sparkContext(), function));
  }

  /** Folder of everything temporary of this cluster and its executors. */
  public Path tempDir() {
    return temp;
  }

  /** Standard error of all executors, dead ones included, each under a line with its file. */
  public String executorLogs() {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.walk(workDir)) {
      for (Path file : files.filter(f -> f.endsWith("stderr")).sorted().toList()) {
        text.append("== ").append(workDir.relativize(file)).append('\n');
        appendLog(text, file);
      }
    } catch (IOException e) {
      throw Folders.failed("read the logs in", workDir, e);
    }
    return text.toString();
  }

  private static void appendLog(StringBuilder text, Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      // The command holds the class path: tens of thousands of letters that nobody reads.
      if (!line.startsWith("Spark Executor Command:") && !line.startsWith("=====")) {
        text.append(line).append('\n');
      }
    }
  }

  /** Stops Spark, waits for the end of the executors (kills them after 12 s), removes all files. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      LOG.debug("The JVM is ending", e);
    }
    end();
  }

  private void end() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    stop(spark, executors());
    remove(workDir);
    remove(temp);
  }

  private static void stop(SparkSession spark, List<ExecutorProcess> processes) {
    // A suspended process would only end when its worker loses patience.
    processes.stream().filter(ExecutorProcess::isAlive).forEach(ExecutorProcess::resume);
    spark.stop();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    // Spark remembers its local folders for the life of a JVM and would make these again.
    Utils$.MODULE$.clearLocalRootDirs();
    try {
      Eventually.within(END, "all executors have ended", LocalCluster::allEnded);
    } catch (TfosException e) {
      List<ExecutorProcess> left = ExecutorProcess.of(ProcessHandle.current());
      LOG.warn("Killing executors that do not end: {}", left, e);
      left.forEach(ExecutorProcess::kill);
    }
  }

  /**
   * A worker may start one more executor in place of the one that just ended, so the threads that
   * start and watch executors count as well as their processes.
   */
  private static boolean allEnded() {
    return ExecutorProcess.of(ProcessHandle.current()).isEmpty()
        && Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().startsWith("ExecutorRunner for "));
  }

  private static void remove(Path folder) {
    // The workers remove files as well and may still write the last line of a log.
    Eventually.within(
        Duration.ofSeconds(5),
        folder + " is removed",
        () -> {
          Folders.delete(folder);
          return !Files.exists(folder);
        });
  }

  /** Settings of a cluster. */
  public static final class Builder {
    private int executors = 2;
    private int cores = 1;
    private int memoryMb = 1024;
    private Duration startLimit = Duration.ofSeconds(60);
    private final Map<String, String> conf = new LinkedHashMap<>();

    private Builder() {}

    /** Number of executor processes. */
    public Builder executors(int executors) {
      this.executors = executors;
      return this;
    }

    /** Task slots of each executor. */
    public Builder cores(int cores) {
      this.cores = cores;
      return this;
    }

    /** Java heap of each executor. */
    public Builder memoryMb(int memoryMb) {
      this.memoryMb = memoryMb;
      return this;
    }

    /** How long the executors may take to register. */
    public Builder startLimit(Duration startLimit) {
      this.startLimit = startLimit;
      return this;
    }

    /**
     * Sets a key of the Spark configuration. The executors' {@code extraJavaOptions} are added to
     * those that the cluster needs.
     */
    public Builder conf(String key, String value) {
      conf.put(key, value);
      return this;
    }

    /** Starts the cluster and returns when every executor is registered. */
    public LocalCluster start() {
      return LocalCluster.start(
          new ClusterSettings(executors, cores, memoryMb, Map.copyOf(conf)), startLimit);
    }
  }
}
