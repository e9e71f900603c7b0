/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;

/** Runs one benchmark by its name. {@code benchmarks/run} makes its environment. */
public final class Main {
  private Main() {}

  private static Map<String, Benchmark> all() {
    Map<String, Benchmark> all = new LinkedHashMap<>();
    all.put("mnist", new MnistRace());
    all.put("feed", new FeedRace());
    all.put("allreduce", new AllReduceRace());
    all.put("scaling", new ScalingRace());
    all.put("start", new StartRace());
    all.put("memory", new MemoryRun());
    all.put("tfrecord-read", RecordReadRace.whole());
    all.put("tfrecord-prune", RecordReadRace.pruned());
    all.put("tfrecord-write", new RecordWriteRace());
    all.put("tfrecord-split", new RecordSplitRace());
    all.put("tfrecord-train", new RecordTrainRace());
    all.put("parts", new PartsRun());
    return all;
  }

  /** The name of a benchmark and its options; ends the JVM with 0 only if it has a result. */
  public static void main(String[] args) {
    int code = 1;
    try {
      Settings settings = Settings.parse(args);
      Benchmark benchmark = all().get(settings.bench());
      if (benchmark == null) {
        throw new IllegalArgumentException(
            "There is no benchmark '" + settings.bench() + "'; there are " + all().keySet());
      }
      Report report = new Report(settings);
      benchmark.run(settings, report);
      report.print(System.out);
      code = 0;
    } catch (IllegalArgumentException e) {
      System.err.println("benchmarks: " + e.getMessage());
      code = 2;
    } catch (Exception e) {
      System.err.println("benchmarks: no result");
      e.printStackTrace();
    }
    System.exit(code);
  }
}
