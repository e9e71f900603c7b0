/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.tensorflowonspark.benchmarks.records.RecordProcess;

/**
 * A process on the first core that answers each line with a line of JSON: it stays alive, so that
 * its rounds can be interleaved with those of others. It ends when its stdin does. Whoever starts
 * it closes it.
 */
final class LineProcess implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final Writer input;
  private final BufferedReader output;
  private final JsonNode versions;

  private LineProcess(Process process) throws IOException {
    this.process = process;
    input = process.outputWriter(StandardCharsets.UTF_8);
    output = process.inputReader(StandardCharsets.UTF_8);
    versions = answer().path("versions");
  }

  /** Starts a command; {@code builder} says what becomes of its standard error. */
  static LineProcess start(ProcessBuilder builder) throws IOException {
    List<String> command = new ArrayList<>(List.of("taskset", "-c", Integer.toString(Cores.of(0))));
    command.addAll(builder.command());
    Process process = builder.command(command).start();
    try {
      return new LineProcess(process);
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Our own side. */
  static LineProcess ours() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            java(System.getProperty("java.class.path"), RecordProcess.class.getName()));
    return start(builder.redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  /** The command of a JVM with the same memory and options for whichever side. */
  static List<String> java(String classPath, String main) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (option.startsWith("--add-opens") || option.startsWith("-Dtfos.")) {
        command.add(option);
      }
    }
    command.addAll(List.of("-Xms1g", "-Xmx1g", "-cp", classPath, main));
    return command;
  }

  /** Versions of what it runs, as text. */
  String versions() {
    return versions.toString();
  }

  /** Asks and waits, for minutes maybe. */
  JsonNode ask(Object... words) throws IOException {
    input.write(
        Arrays.stream(words).map(String::valueOf).collect(Collectors.joining(" ", "", "\n")));
    input.flush();
    return answer();
  }

  private JsonNode answer() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new EOFException("A process ended without an answer");
    }
    return JSON.readTree(line);
  }

  @Override
  public void close() throws IOException {
    try {
      input.close();
      boolean unused = process.waitFor(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
