/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.tensorflowonspark.cli.TfosRun;

/**
 * A finished run of {@code tfos records} within this JVM.
 *
 * @param code its exit code
 */
record RecordsRun(int code, String out, String err) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Runs it; arguments are turned into text, so that they can be paths. */
  static RecordsRun of(Path temp, Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] line =
        Stream.concat(Stream.of("records"), Stream.of(arguments).map(Object::toString))
            .toArray(String[]::new);
    int code =
        TfosRun.commandLine(temp.resolve("tfos.log"))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(line);
    return new RecordsRun(code, out.toString(), err.toString());
  }

  RecordsRun fine() {
    assertThat(code).as("exit code; %s%s", out, err).isZero();
    assertThat(err).isEmpty();
    return this;
  }

  /** One line on standard error, and nothing else. */
  RecordsRun failed(int expected, String text) {
    assertThat(code).as("exit code; %s%s", out, err).isEqualTo(expected);
    assertThat(err).startsWith("tfos: ").contains(text).hasLineCount(1);
    return this;
  }

  List<JsonNode> json() {
    return out.lines().map(RecordsRun::parsed).toList();
  }

  private static JsonNode parsed(String line) {
    try {
      return MAPPER.readTree(line);
    } catch (JsonProcessingException e) {
      throw new AssertionError("No JSON: " + line, e);
    }
  }
}
