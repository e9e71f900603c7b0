/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflowonspark.cli.console.LogFile;
import picocli.CommandLine;

class TfosTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path temp;

  @Test
  void helpShowsExamples() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("Examples:").contains("tfos demo").contains("--version");
    assertThat(run("demo", "--help")).isZero();
    assertThat(out.toString()).contains("--batch-size=N").contains("(default: 32)");
  }

  @Test
  void versionComesFromTheBuild() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString())
        .matches("tfos [0-9.]+\\S* \\(Spark 4\\S+, TensorFlow Java 1\\S+, Java \\S+\\)\\s+");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --wrkers 2     | Unknown options: '--wrkers', '2'. Did you mean '--workers'?
          --workers zwei | Invalid value for option '--workers': 'zwei' is not an int
          --workers 0    | Invalid value for option '--workers': 0 is below 1
          --epochs -1    | Invalid value for option '--epochs': -1 is below 1
          --seed         | Missing required parameter for option '--seed'
          """)
  void misuseIsOneLine(String arguments, String expected) {
    assertThat(run(("demo " + arguments).split(" ", -1))).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("tfos: " + expected)
        .hasLineCount(1)
        .contains("tfos demo --help");
  }

  @Test
  void failureIsOneLineWithTheLog() throws Exception {
    Path model = Files.createDirectory(temp.resolve("model"));
    assertThat(run("demo", "--model", model.toString())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("tfos: [TFOS-CLI-004] No saved_model.pb in '" + model)
        .contains("(log: " + temp.resolve("tfos.log") + ")")
        .hasLineCount(1);
  }

  @Test
  void exportedModelIsNotOverwritten() throws Exception {
    Files.createFile(temp.resolve("saved_model.pb"));
    assertThat(run("demo", "--model", temp.toString(), "--export-dir", temp.toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("[TFOS-CLI-003]").contains("not empty");
  }

  @Test
  void dataIsReadBeforeAClusterStarts() throws Exception {
    Files.createFile(temp.resolve("saved_model.pb"));
    assertThat(
            run(
                "demo",
                "--model",
                temp.toString(),
                "--data",
                temp.toString(),
                "--export-dir",
                temp.resolve("new").toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("[TFOS-CLI-001] Neither train-images-idx3-ubyte nor");
  }

  private int run(String... args) {
    CommandLine line = Tfos.commandLine(new LogFile(temp.resolve("tfos.log")));
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return line.execute(args);
  }
}
