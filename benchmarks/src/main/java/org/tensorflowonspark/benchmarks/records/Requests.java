/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.records;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The loop of a process that takes requests on stdin and answers each with a line of JSON. */
public final class Requests {
  private Requests() {}

  /** Answers one request. */
  @FunctionalInterface
  public interface Handler {
    /** The numbers of the answer, by name. */
    Map<String, Number> answer(String[] words) throws Exception;
  }

  /** Says the versions, then answers until stdin ends. */
  public static void serve(Map<String, String> versions, Handler handler) throws Exception {
    StringBuilder first = new StringBuilder();
    versions.forEach((what, version) -> entry(first, what, "\"" + version + "\""));
    System.out.println("{\"versions\": {" + first + "}}");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = next(in); !line.isEmpty(); line = next(in)) {
      StringBuilder answer = new StringBuilder();
      handler.answer(line.split(" ", -1)).forEach((what, number) -> entry(answer, what, number));
      System.out.println("{" + answer + "}");
    }
  }

  private static String next(BufferedReader in) throws IOException {
    String line = in.readLine();
    return line == null ? "" : line;
  }

  private static void entry(StringBuilder text, String key, Object value) {
    text.append(text.length() == 0 ? "\"" : ", \"").append(key).append("\": ").append(value);
  }

  /** A clock of the wall and of this process's processor time; the latter a busy machine leaves. */
  public static final class Clock {
    private static final OperatingSystemMXBean SYSTEM =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final long cpu = SYSTEM.getProcessCpuTime();
    private final long wall = System.nanoTime();

    /** The answer of something that began when this clock was made. */
    public Map<String, Number> stop(long records) {
      double seconds = (System.nanoTime() - wall) / 1e9;
      double cpuSeconds = (SYSTEM.getProcessCpuTime() - cpu) / 1e9;
      return Map.of("records", records, "seconds", seconds, "cpu", cpuSeconds);
    }
  }
}
