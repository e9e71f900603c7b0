/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflowonspark.tensorflow.TensorFlowRuntime;

/** What the figures were taken on, as Linux tells it. */
final class Machine {
  private Machine() {}

  /** The load average of the last minute; 0 where nobody knows. */
  static double load() {
    String text = first("/proc/loadavg", "");
    return text.isEmpty() ? 0 : Double.parseDouble(text.split(" ", 2)[0]);
  }

  static Map<String, Object> describe() {
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("cpu", after(first("/proc/cpuinfo", "model name")));
    machine.put("cores", Cores.allowed().length);
    machine.put("memory", after(first("/proc/meminfo", "MemTotal")));
    machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    return machine;
  }

  static Map<String, Object> versions() {
    Map<String, Object> versions = new LinkedHashMap<>();
    versions.put("java", Runtime.version().toString());
    versions.put("spark", org.apache.spark.package$.MODULE$.SPARK_VERSION());
    versions.put("tensorflow", TensorFlowRuntime.load().version());
    return versions;
  }

  private static String after(String line) {
    return line.substring(line.indexOf(':') + 1).trim();
  }

  static String first(String file, String start) {
    return lines(file).stream().filter(line -> line.startsWith(start)).findFirst().orElse("");
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file));
    } catch (IOException e) {
      return List.of();
    }
  }
}
