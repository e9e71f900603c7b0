/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflowonspark.testkit.ExecutorProcess;
import org.tensorflowonspark.testkit.LocalCluster;

/**
 * Processor time of the executors in each lap: what a busy machine distorts least. To the nearest
 * hundredth of a second, as Linux counts it.
 */
final class CpuMeter {
  private static final double TICKS_PER_SECOND = 100;

  private final LocalCluster cluster;
  private final Map<String, List<Double>> seconds = new LinkedHashMap<>();

  CpuMeter(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /** The lap with its processor time noted under {@code name}. */
  Race.Lap of(String name, Race.Lap lap) {
    return () -> {
      double before = total();
      double value = lap.run();
      seconds.computeIfAbsent(name, n -> new ArrayList<>()).add(total() - before);
      return value;
    };
  }

  private double total() throws IOException {
    double ticks = 0;
    for (ExecutorProcess executor : cluster.executors()) {
      String stat = Files.readString(Path.of("/proc/" + executor.pid() + "/stat"));
      // After the name, which may hold anything: state is field 3, user and system time 14 and 15.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }
    return ticks / TICKS_PER_SECOND;
  }

  /** Adds a row for each name: microseconds of both executors for each of {@code rows} rows. */
  void into(Report report, long rows) {
    seconds.forEach(
        (name, laps) ->
            report.row("  cpu a row: " + name, new Series(laps).map(s -> s / rows * 1e6), "us"));
  }
}
