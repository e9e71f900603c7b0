/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.tensorflowonspark.cluster.transport.TransportMode;

/**
 * Times all-reduce between processes and prints p50, p90 and the bandwidth; not a test. Arguments:
 * number of ranks, then transports among unix, tcp and crypto. With "step" in front of the
 * transports it times steps of 3 ms of arithmetic with 1.4 MB between them instead.
 */
final class AllReduceTimes {
  private AllReduceTimes() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    int ranks = args.length > 0 ? Integer.parseInt(args[0]) : 2;
    boolean step = args.length > 1 && args[1].equals("step");
    List<String> transports =
        args.length > (step ? 2 : 1)
            ? Arrays.asList(args).subList(step ? 2 : 1, args.length)
            : List.of("unix", "tcp", "crypto");
    for (String transport : transports) {
      boolean crypto = transport.equals("crypto");
      TransportMode mode = crypto ? TransportMode.TCP : TransportMode.parse(transport);
      race(ranks, mode, crypto, step ? "step" : "sizes");
    }
  }

  private static void race(int ranks, TransportMode mode, boolean crypto, String what)
      throws IOException, InterruptedException {
    List<Process> children = new ArrayList<>();
    List<String> roster = new ArrayList<>();
    List<BufferedReader> outputs = new ArrayList<>();
    try {
      for (int rank = 0; rank < ranks; rank++) {
        Process child = ChildRank.command(rank, mode, crypto, "bench", what).start();
        children.add(child);
        BufferedReader out =
            new BufferedReader(
                new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
        outputs.add(out);
        roster.add(out.readLine());
      }
      for (Process child : children) {
        Writer in = child.outputWriter(StandardCharsets.UTF_8);
        in.write(String.join("\n", roster) + "\n\n");
        in.flush();
      }
      String label = ranks + " ranks, " + mode + (crypto ? " encrypted" : "");
      for (String line = outputs.get(0).readLine();
          line != null;
          line = outputs.get(0).readLine()) {
        System.out.println(label + ": " + line);
      }
      for (Process child : children) {
        int unused = child.waitFor();
      }
    } finally {
      children.forEach(Process::destroyForcibly);
    }
  }

  /** In the child. */
  static void run(Collective collective, String[] args) {
    if (args[4].equals("step")) {
      steps(collective);
      return;
    }
    times(collective, 4, 20_000);
    times(collective, 4 << 10, 20_000);
    times(collective, 64 << 10, 3_000);
    times(collective, 1 << 20, 1_000);
    times(collective, 1_400_000, 1_000);
    times(collective, 100_000_000, 15);
  }

  private static void times(Collective collective, int bytes, int rounds) {
    ByteBuffer buffer = Stream.direct(bytes);
    for (int i = 0; i < bytes / 4; i++) {
      buffer.putFloat(4 * i, i % 1000);
    }
    ReduceBuffers buffers = ReduceBuffers.of(ElementType.FLOAT32, List.of(buffer));
    long[] nanos = new long[rounds];
    long cpu = 0;
    for (int i = -Math.min(rounds, 5_000); i < rounds; i++) {
      if (i == 0) {
        cpu = cpuNanos();
      }
      long start = System.nanoTime();
      Reduced unused = collective.allReduce(buffers, 1);
      if (i >= 0) {
        nanos[i] = System.nanoTime() - start;
      }
    }
    cpu = cpuNanos() - cpu;
    if (collective.rank() == 0) {
      Arrays.sort(nanos);
      double p50 = nanos[rounds / 2] / 1e3;
      System.out.printf(
          Locale.ROOT,
          "%,13d bytes: p50 %,10.1f us, p90 %,10.1f us, %6.2f GB/s, cpu %,.1f us%n",
          bytes,
          p50,
          nanos[rounds * 9 / 10] / 1e3,
          bytes / p50 / 1e3,
          cpu / 1e3 / rounds);
    }
  }

  /** What a busy machine does not distort: the processor time of this rank. */
  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static void steps(Collective collective) {
    ByteBuffer buffer = Stream.direct(1_400_000);
    ReduceBuffers buffers = ReduceBuffers.of(ElementType.FLOAT32, List.of(buffer));
    double[] work = new double[2048];
    Arrays.fill(work, 1.5);
    int units = 0;
    long until = System.nanoTime() + 2_000_000_000L;
    while (System.nanoTime() < until) {
      work(work);
      units++;
    }
    // The same amount of work each step, about 3 ms of it: what a rank loses, it loses.
    int each = Math.max(1, (int) (units * 0.003 / 2));
    for (int round = 0; round < 5; round++) {
      double alone = timed(collective, buffers, work, each, false);
      double together = timed(collective, buffers, work, each, true);
      if (collective.rank() == 0) {
        System.out.printf(
            Locale.ROOT,
            "step alone %.3f ms, in step %.3f ms, ratio %.3f%n",
            alone,
            together,
            alone / together);
      }
    }
  }

  private static double timed(
      Collective collective, ReduceBuffers buffers, double[] work, int units, boolean reduce) {
    collective.barrier();
    long start = System.nanoTime();
    for (int i = 0; i < 500; i++) {
      for (int u = 0; u < units; u++) {
        work(work);
      }
      if (reduce) {
        Reduced unused = collective.allReduce(buffers, 64, 1, 2, 3);
      }
    }
    collective.barrier();
    return (System.nanoTime() - start) / 500.0 / 1e6;
  }

  private static void work(double[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = values[i] * 0.999999 + 1e-6;
    }
  }
}
