/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Keeps processes on cores with {@code taskset}, so that ranks do not take turns on one. */
final class Cores {
  private Cores() {}

  /** Numbers of the cores that this process may use. */
  static int[] allowed() {
    String line = Machine.first("/proc/self/status", "Cpus_allowed_list");
    if (line.isEmpty()) {
      return IntStream.range(0, Runtime.getRuntime().availableProcessors()).toArray();
    }
    List<Integer> cores = new ArrayList<>();
    for (String range : line.substring(line.indexOf(':') + 1).trim().split(",", -1)) {
      String[] ends = range.split("-", -1);
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int core = Integer.parseInt(ends[0]); core <= last; core++) {
        cores.add(core);
      }
    }
    return cores.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The core of the rank: by turns over those there are. */
  static int of(int rank) {
    int[] cores = allowed();
    return cores[rank % cores.length];
  }

  /** Puts a process with all its threads on the rank's core. */
  static void pin(long pid, int rank) throws IOException, InterruptedException {
    Process taskset =
        new ProcessBuilder("taskset", "-acp", Integer.toString(of(rank)), Long.toString(pid))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    int code = taskset.waitFor();
    if (code != 0) {
      throw new IOException("taskset could not put process " + pid + " on core " + of(rank));
    }
  }
}
