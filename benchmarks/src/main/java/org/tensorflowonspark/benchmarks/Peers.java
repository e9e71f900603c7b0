/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Starts the Python programs of {@code benchmarks/peers} and reads their one line of JSON. */
final class Peers {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final @Nullable String python;
  private final String reason;

  Peers(Settings settings) {
    python = settings.options().containsKey("no-peers") ? null : settings.option("python");
    reason =
        settings.options().containsKey("no-peers")
            ? "--no-peers was given"
            : "there is no Python environment for peers";
  }

  /** A lap that is field {@code value} of the peer's result. */
  Race.Lap lap(String program, Object... arguments) {
    return () -> number(run(program, arguments), "value");
  }

  static double number(JsonNode result, String field) throws NotRaced {
    JsonNode value = result.path(field);
    if (!value.isNumber()) {
      throw new NotRaced("its result has no '" + field + "'");
    }
    return value.doubleValue();
  }

  /** Runs one program to its end, for minutes maybe. */
  JsonNode run(String program, Object... arguments) throws NotRaced, IOException {
    String interpreter = python;
    if (interpreter == null) {
      throw new NotRaced(reason);
    }
    List<String> command = new ArrayList<>(List.of(interpreter));
    command.add(Settings.file("benchmarks/peers/" + program).toString());
    for (Object argument : arguments) {
      command.add(String.valueOf(argument));
    }
    Path log = Settings.file("benchmarks/target/peers.log");
    Files.createDirectories(Settings.file("benchmarks/target"));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    clean(builder.environment());
    Process process = builder.start();
    String output;
    int code;
    try {
      process.getOutputStream().close();
      output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      code = process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NotRaced("interrupted");
    } finally {
      process.destroy(); // ends its children on SIGTERM
    }
    if (code != 0 || output.isBlank()) {
      throw new NotRaced(program + " ended with code " + code + ", see " + relative(log));
    }
    return JSON.readTree(output);
  }

  private static Path relative(Path log) {
    return Settings.file("").relativize(log);
  }

  /** Ours are made for a Spark without a distribution; theirs brings its own. */
  private static void clean(Map<String, String> environment) {
    environment.keySet().removeIf(key -> key.startsWith("SPARK_") || key.startsWith("TF_"));
  }
}
