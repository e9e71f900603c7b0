/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.tensorflowonspark.benchmarks.parts.MessageCodec;
import org.tensorflowonspark.benchmarks.parts.RowsToTensors;
import org.tensorflowonspark.cluster.collective.KernelAdd;

/** The JMH benchmarks of single parts, with one core for each fork. */
final class PartsRun implements Benchmark {

  @Override
  public void run(Settings settings, Report report) throws Exception {
    Options options =
        new OptionsBuilder()
            .include(RowsToTensors.class.getName())
            .include(KernelAdd.class.getName())
            .include(MessageCodec.class.getName())
            .forks(settings.quick() ? 1 : 3)
            .warmupIterations(settings.quick() ? 1 : 3)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(settings.rounds(5))
            .measurementTime(TimeValue.seconds(1))
            .jvmArgsPrepend("-XX:+UseSerialGC")
            .shouldFailOnError(true)
            .build();
    Map<String, Series> nanos = new HashMap<>();
    for (RunResult result : new Runner(options).run()) {
      nanos.put(result.getPrimaryResult().getLabel(), iterations(result));
    }
    nanos.forEach((name, series) -> report.row(name, series, "ns"));
    report.add(Result.time("row-to-tensor", get(nanos, "feed"), "ns").limit(get(nanos, "copyRow")));
    report.add(Result.time("kernel-add", get(nanos, "add"), "ns").limit(get(nanos, "copy")));
    report.add(Result.time("heartbeat", get(nanos, "poll"), "ns"));
    report.note("row-to-tensor: one row of 784 floats into a chunk and from there into a batch.");
    report.note("kernel-add: 1 MB of float32; its limit is a copy of as many bytes.");
    report.note("heartbeat: one message encoded and decoded.");
  }

  private static Series get(Map<String, Series> nanos, String name) {
    Series found = nanos.get(name);
    if (found == null) {
      throw new IllegalStateException("JMH did not run " + name + ", only " + nanos.keySet());
    }
    return found;
  }

  private static Series iterations(RunResult result) {
    List<Double> scores = new ArrayList<>();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        scores.add(iteration.getPrimaryResult().getScore());
      }
    }
    return new Series(scores);
  }
}
