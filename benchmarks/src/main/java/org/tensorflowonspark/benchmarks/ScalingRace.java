/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.tensorflowonspark.cluster.TFCluster;
import org.tensorflowonspark.testkit.LocalCluster;

/** What the exchange of gradients costs: two nodes in step against the same two side by side. */
final class ScalingRace implements Benchmark {
  private static final String PEER = "mwms_scaling.py";

  private static final List<String> PARTS =
      List.of("gradients", "exchange", "apply", "cpu in step", "cpu apart");

  private record Case(String name, String model, int batch, String peerModel, double must) {}

  @Override
  public void run(Settings settings, Report report) throws Exception {
    try (LocalCluster spark = Executors.start(settings, 1024)) {
      Path mlp = spark.tempDir().resolve("mlp-1m");
      Mlp.million().export(mlp);
      String cnn = Settings.file("examples/models/mnist-cnn").toString();
      for (Case each :
          List.of(
              new Case("cnn-64", cnn, 64, "cnn", 0.8),
              new Case("cnn-128", cnn, 128, "cnn", 0.9),
              new Case("mlp-1m", mlp.toString(), 64, "mlp-1m", 0))) {
        if (settings.wants(each.name())) {
          race(settings, report, spark, each);
        }
      }
    }
    report.note(
        "Samples a second of both nodes in step over both side by side. " + Executors.PINNED);
    report.note("Batches in memory; one TensorFlow thread within an operation on both sides.");
    report.note("Excluded: loading, and " + warm(settings) + " warm-up steps of each kind.");
    report.note(
        "Checked: the weight of every step, and equal weights of both nodes at the end. Our CNN"
            + " trains with Adam, the peer's with SGD. Loopback and Unix sockets are no network.");
  }

  private static int warm(Settings settings) {
    return settings.quick() ? 50 : 300;
  }

  private static void race(Settings settings, Report report, LocalCluster spark, Case c)
      throws Exception {
    int steps = settings.quick() ? 100 : 400;
    StepTimes program =
        new StepTimes(c.model(), c.batch(), warm(settings), steps, settings.number("inter-op", 0));
    Map<String, List<Double>> figures = new HashMap<>();
    Peers peers = new Peers(settings);
    Race race =
        new Race(settings.rounds(7))
            .side(c.name(), () -> ours(spark, program, figures))
            .side(PEER, 3, () -> theirs(peers, c, figures))
            .run();
    race.into(report, "ratio");
    Series apart = series(figures, "apart");
    Series together = series(figures, "together");
    report.row("  both apart", apart, "rows/s");
    report.row("  both in step", together, "rows/s");
    report.row("  one alone", series(figures, "alone"), "rows/s");
    report.row("  efficiency against one alone", series(figures, "efficiency"), "ratio");
    for (String part : PARTS) {
      report.row("  a step: " + part, series(figures, part), "ms");
    }
    Result result =
        Result.rate(c.name(), race.get(c.name()), "ratio")
            .against(PEER, race.find(PEER))
            .limit(Series.of(1))
            .with("rows_per_s", together.median())
            .with("efficiency", series(figures, "efficiency").median())
            .with("exchange_ms", series(figures, "exchange").median());
    if (race.find(PEER) != null) {
      double theirs = series(figures, "peer").median();
      result.with("peer_rows_per_s", theirs);
      result.must("faster than the peer", together.median() > theirs);
    }
    if (c.must() > 0) {
      double ratio = race.get(c.name()).median();
      result.must("at least " + c.must() + " of the limit", ratio >= c.must());
    }
    report.add(result);
  }

  private static double ours(
      LocalCluster spark, StepTimes program, Map<String, List<Double>> figures) {
    List<StepTimes.Node> nodes;
    try (TFCluster<StepTimes.Node> cluster =
        TFCluster.builder(spark.spark()).workers(2).call(program)) {
      nodes = cluster.await();
    }
    StepTimes.Node first = nodes.get(0);
    StepTimes.Node second = nodes.get(1);
    Executors.check(first.weights() == second.weights(), "nodes ended with other weights");
    double rows = (double) program.batch() * program.steps();
    double apart = rows / first.apart() + rows / second.apart();
    double together = 2 * rows / Math.max(first.together(), second.together());
    double alone = rows / first.alone();
    add(figures, "apart", apart);
    add(figures, "together", together);
    add(figures, "alone", alone);
    add(figures, "efficiency", together / 2 / alone);
    double toMillis = 1e3 / program.steps();
    add(figures, "gradients", first.gradients() * toMillis);
    add(figures, "exchange", first.exchange() * toMillis);
    add(figures, "apply", first.apply() * toMillis);
    add(figures, "cpu in step", first.togetherCpu() * toMillis);
    add(figures, "cpu apart", first.apartCpu() * toMillis);
    return together / apart;
  }

  private static double theirs(Peers peers, Case c, Map<String, List<Double>> figures)
      throws Exception {
    JsonNode result = peers.run(PEER, "--model", c.peerModel(), "--batch", c.batch());
    add(figures, "peer", Peers.number(result, "in_step_samples_per_second"));
    return Peers.number(result, "ratio");
  }

  private static void add(Map<String, List<Double>> figures, String name, double value) {
    figures.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
  }

  private static Series series(Map<String, List<Double>> figures, String name) {
    return new Series(figures.getOrDefault(name, List.of()));
  }
}
