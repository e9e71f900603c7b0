/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.tensorflowonspark.base.TfosException;

/**
 * A driver program in a JVM of its own, with the class path, environment and Java options of this
 * one, for tests that kill a driver or watch its exit code and output. Thread-safe. {@link #close}
 * kills it and all that it started.
 */
public final class DriverProcess implements AutoCloseable {
  private final Process process;
  private final List<String> output = new CopyOnWriteArrayList<>();
  private final Thread reader;

  private DriverProcess(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "testkit-driver-output");
    this.reader.setDaemon(true);
    this.reader.start();
  }

  /** Prepares to run {@code main}, with a heap of 512 MB unless told otherwise. */
  public static Builder of(Class<?> main) {
    return new Builder(main.getName());
  }

  /** Id of the driver's process. */
  public long pid() {
    return process.pid();
  }

  /** The driver's executors that live now. */
  public List<ExecutorProcess> executors() {
    return ExecutorProcess.of(process.toHandle());
  }

  /** Standard output and error so far, in the order of arrival. */
  public String output() {
    return String.join("\n", output);
  }

  /** Waits until the output contains {@code text}. */
  public void awaitOutput(String text, Duration limit) {
    Eventually.within(
        limit,
        "driver " + pid() + " prints '" + text + "'",
        () -> {
          if (output().contains(text)) {
            return true;
          }
          if (!process.isAlive() && !reader.isAlive() && !output().contains(text)) {
            throw new IOException("It has ended with " + process.exitValue() + ":\n" + output());
          }
          return false;
        });
  }

  /** Waits for the end and gives the exit code, 137 after {@link #kill}. */
  public int waitFor(Duration limit) {
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new TfosException(
            TestkitError.NOT_IN_TIME,
            "Driver " + pid() + " has not ended within " + limit.toMillis() + " ms",
            "It printed:\n" + output());
      }
      reader.join(limit.toMillis()); // executors may still hold the pipe for a moment
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TfosException(TestkitError.NOT_IN_TIME, "Interrupted", "", e);
    }
  }

  /** Sends SIGKILL to the driver alone. */
  public void kill() {
    process.destroyForcibly();
  }

  /** Sends SIGTERM to the driver alone, as an interrupt from a terminal or a manager does. */
  public void terminate() {
    process.destroy();
  }

  @Override
  public void close() {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
    Eventually.within(
        Duration.ofSeconds(10),
        "driver " + pid() + " and its children have ended",
        () -> all.stream().noneMatch(ProcessHandle::isAlive));
  }

  private void read() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        output.add(line);
      }
    } catch (IOException e) {
      output.add("(output lost: " + e + ")");
    }
  }

  /** Settings of a driver process. */
  public static final class Builder {
    private final String main;
    private int heapMb = 512;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<String> options = new ArrayList<>();

    private Builder(String main) {
      this.main = main;
    }

    /** Java heap of the driver. */
    public Builder heapMb(int heapMb) {
      this.heapMb = heapMb;
      return this;
    }

    /** Adds to or changes the environment. */
    public Builder environment(String name, String value) {
      environment.put(name, value);
      return this;
    }

    /** Adds an option for the JVM, such as {@code -Dkey=value}. */
    public Builder javaOption(String option) {
      options.add(option);
      return this;
    }

    /** Starts the program. */
    public DriverProcess start(String... arguments) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("@" + optionsFile());
      command.add("-Xmx" + heapMb + "m");
      command.add("-Dtfos.root=" + System.getProperty("tfos.root"));
      command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
      command.addAll(options);
      command.add("-cp");
      command.add(System.getProperty("java.class.path"));
      command.add(main);
      command.addAll(List.of(arguments));
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      try {
        Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
        return new DriverProcess(builder.start());
      } catch (IOException e) {
        throw new TfosException(TestkitError.PROCESS, "Cannot start " + main, "", e);
      }
    }

    private static Path optionsFile() {
      String root = System.getProperty("tfos.root");
      Path file = Path.of(root == null ? "." : root, ".mvn", "spark-jvm.options");
      if (root == null || !Files.isReadable(file)) {
        throw new TfosException(
            TestkitError.ENVIRONMENT,
            "System property tfos.root is '" + root + "', where '" + file + "' is not readable",
            "Set it to the root folder of the repository, as the Maven build does.");
      }
      return file;
    }
  }
}
