/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.tensorflowonspark.cluster.TFCluster;
import org.tensorflowonspark.tensorflow.TensorFlowRuntime;
import org.tensorflowonspark.testkit.LocalCluster;

/** How long a cluster takes to start: from the call until the program runs on all nodes. */
final class StartRace implements Benchmark {
  private static final String OURS = "call until the program runs on both nodes";
  private static final String LAUNCH = "an empty Spark job of two tasks (limit)";
  private static final String PEER = "original_start.py";

  @Override
  public void run(Settings settings, Report report) throws Exception {
    List<Double> called = new ArrayList<>();
    List<Double> ended = new ArrayList<>();
    Race race;
    try (LocalCluster spark = Executors.start(settings, 1024)) {
      double first = start(spark.spark(), new ArrayList<>(), new ArrayList<>());
      double load =
          spark
              .onEachExecutor(() -> (double) TensorFlowRuntime.load().took().toMillis())
              .values()
              .stream()
              .mapToDouble(Double::doubleValue)
              .max()
              .orElseThrow();
      int warm = settings.quick() ? 2 : 10;
      for (int i = 0; i < warm; i++) {
        double unused = start(spark.spark(), new ArrayList<>(), new ArrayList<>());
        double unusedToo = launch(spark.spark());
      }
      race =
          new Race(settings.rounds(15))
              .side(OURS, () -> start(spark.spark(), called, ended))
              .side(LAUNCH, () -> launch(spark.spark()))
              .side(PEER, 3, new Peers(settings).lap(PEER, "--rounds", settings.quick() ? 1 : 3))
              .run();
      race.into(report, "ms");
      report.row("  call until it returns", new Series(called), "ms");
      report.row("  end of the programs until closed", new Series(ended), "ms");
      report.row("the first start in new executors", Series.of(first), "ms");
      report.row("loading TensorFlow, once an executor", Series.of(load), "ms");
      double over = race.get(OURS).median() - race.get(LAUNCH).median();
      report.add(
          Result.time("2 nodes", race.get(OURS), "ms")
              .against(PEER, race.find(PEER))
              .limit(race.get(LAUNCH))
              .must("300 ms over an empty job", over <= 300)
              .with("over_launch_ms", over)
              .with("first_ms", first)
              .with("tensorflow_load_ms", load));
    }
    report.note(
        "A program that only looks at the clock, in warm executors with TensorFlow loaded. "
            + Executors.PINNED);
    report.note(
        "The peer's value ends when its nodes are reserved, a little before its program runs.");
  }

  private static double start(SparkSession spark, List<Double> called, List<Double> ended) {
    long clock = micros();
    long start = System.nanoTime();
    long running;
    long end;
    try (TFCluster<Long> cluster = TFCluster.builder(spark).workers(2).call(ctx -> micros())) {
      called.add(Executors.seconds(start) * 1e3);
      List<Long> began = cluster.await();
      Executors.check(began.size() == 2, "programs on " + began.size() + " nodes");
      running = began.stream().mapToLong(Long::longValue).max().orElseThrow();
      end = System.nanoTime();
    }
    ended.add(Executors.seconds(end) * 1e3);
    return (running - clock) / 1e3;
  }

  /** The clock that all processes of a machine share. */
  private static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  private static double launch(SparkSession spark) {
    long start = System.nanoTime();
    long count =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(List.of(1, 2), 2)
            .map(i -> i)
            .count();
    Executors.check(count == 2, "tasks of the empty job");
    return Executors.seconds(start) * 1e3;
  }
}
