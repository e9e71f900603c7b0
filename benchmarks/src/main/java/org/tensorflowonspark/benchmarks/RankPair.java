/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two {@link RankProcess}es, each on a core of its own. Whoever starts them closes the pair. */
final class RankPair implements AutoCloseable {
  private final List<Process> processes = new ArrayList<>();
  private final List<Writer> inputs = new ArrayList<>();
  private final List<BufferedReader> outputs = new ArrayList<>();

  private RankPair() {}

  /** Starts both over the given transport. */
  static RankPair start(String transport, Path folder) throws IOException {
    RankPair pair = new RankPair();
    try {
      List<String> addresses = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        addresses.add(pair.start(rank, transport, folder));
      }
      pair.send(String.join("\n", addresses));
    } catch (IOException e) {
      pair.close();
      throw e;
    }
    return pair;
  }

  private String start(int rank, String transport, Path folder) throws IOException {
    Process process =
        new ProcessBuilder(
                "taskset",
                "-c",
                Integer.toString(Cores.of(rank)),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:MaxDirectMemorySize=1g",
                "-cp",
                System.getProperty("java.class.path"),
                RankProcess.class.getName(),
                Integer.toString(rank),
                transport,
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    processes.add(process);
    inputs.add(process.outputWriter(StandardCharsets.UTF_8));
    outputs.add(process.inputReader(StandardCharsets.UTF_8));
    return answer(rank);
  }

  private String answer(int rank) throws IOException {
    String line = outputs.get(rank).readLine();
    if (line == null) {
      throw new EOFException("Rank " + rank + " ended without an answer, see above");
    }
    return line;
  }

  private void send(String line) throws IOException {
    for (Writer input : inputs) {
      input.write(line + "\n");
      input.flush();
    }
  }

  /** Has both do something; microseconds as rank 0 saw them, the median. */
  double micros(String what, int bytes, int warm, int rounds) throws IOException {
    send(what + " " + bytes + " " + warm + " " + rounds);
    double first = Double.parseDouble(answer(0));
    String unused = answer(1);
    return first;
  }

  /** Ends both: a rank ends when its input does, and takes its sockets along. */
  @Override
  public void close() throws IOException {
    try {
      for (Writer input : inputs) {
        input.close();
      }
      for (Process process : processes) {
        boolean unused = process.waitFor(5, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }
}
