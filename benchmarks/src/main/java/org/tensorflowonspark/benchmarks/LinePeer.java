/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A peer as a {@link LineProcess}, started when it is asked first. */
final class LinePeer implements AutoCloseable {
  static final String JAVA = "tensorflow-hadoop";
  static final String TF_DATA = "tf_data_records.py";

  private final List<String> command;
  private final String reason;
  private @Nullable LineProcess process;

  private LinePeer(List<String> command, String reason) {
    this.command = command;
    this.reason = reason;
  }

  /** What others run on the JVM: {@code peers/java}. */
  static LinePeer java(Settings settings) {
    String classPath = settings.option("peers-java");
    return of(
        settings,
        classPath == null
            ? List.of()
            : LineProcess.java(classPath, "org.tensorflowonspark.benchmarks.peers.RecordPeer"),
        "peers/java is not built");
  }

  /** TensorFlow's own {@code tf.data}. */
  static LinePeer tfData(Settings settings) {
    String python = settings.option("python");
    String program = Settings.file("benchmarks/peers/" + TF_DATA).toString();
    return of(
        settings,
        python == null ? List.of() : List.of(python, program),
        "there is no Python environment for peers");
  }

  private static LinePeer of(Settings settings, List<String> command, String reason) {
    return settings.options().containsKey("no-peers")
        ? new LinePeer(List.of(), "--no-peers was given")
        : new LinePeer(command, reason);
  }

  /** Asks and waits. */
  JsonNode ask(Object... words) throws NotRaced {
    if (command.isEmpty()) {
      throw new NotRaced(reason);
    }
    Path log = Settings.file("benchmarks/target/peers.log");
    try {
      LineProcess running = process;
      if (running == null) {
        Files.createDirectories(log.getParent());
        ProcessBuilder builder =
            new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder
            .environment()
            .keySet()
            .removeIf(key -> key.startsWith("SPARK_") || key.startsWith("TF_"));
        running = LineProcess.start(builder);
        process = running;
      }
      return running.ask(words);
    } catch (IOException e) {
      throw new NotRaced(e.getMessage() + ", see " + Settings.file("").relativize(log));
    }
  }

  /** Versions of what it runs; empty unless it runs. */
  String versions() {
    return process == null ? "" : process.versions();
  }

  @Override
  public void close() throws IOException {
    if (process != null) {
      process.close();
    }
  }
}
