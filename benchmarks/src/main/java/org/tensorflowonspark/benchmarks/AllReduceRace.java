/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** All-reduce of float32 between two processes. */
final class AllReduceRace implements Benchmark {
  private static final String PEER = "tf_collective.py";

  private record Case(String name, int bytes, int warm, int rounds) {}

  @Override
  public void run(Settings settings, Report report) throws Exception {
    Path folder = Files.createTempDirectory("tfos-bench-");
    try (RankPair unix = RankPair.start("unix", folder);
        RankPair tcp = RankPair.start("tcp", folder)) {
      for (Case each :
          List.of(
              new Case("4KB", 4 << 10, 5000, 5000),
              new Case("1MB", 1 << 20, 200, 300),
              new Case("100MB", 100 << 20, 2, 5))) {
        if (settings.wants(each.name())) {
          race(settings, report, each, unix, tcp);
        }
      }
    } finally {
      Files.deleteIfExists(folder);
    }
    report.note(
        "Two processes, each on a core of its own, one buffer of float32; microseconds of one"
            + " all-reduce as rank 0 sees it, the median within each round. Checked: all sums.");
    report.note(
        "The value is the transport that 'auto' chooses within a host, the Unix socket. The peer"
            + " uses gRPC over TCP: compare it with our TCP. Loopback is not a network.");
    report.note(
        "The limit is a bare exchange over a Unix socket: each process sends as many bytes as it"
            + " contributes, all at once, and adds nothing. Excluded: connecting, warm-up.");
  }

  private static void race(Settings settings, Report report, Case c, RankPair unix, RankPair tcp)
      throws Exception {
    String ours = c.name() + " over a Unix socket";
    String overTcp = c.name() + " over TCP";
    String bare = c.name() + " bare exchange (limit)";
    String peer = c.name() + " " + PEER;
    Race race =
        new Race(settings.rounds(7))
            .side(ours, () -> unix.micros("reduce", c.bytes(), c.warm(), c.rounds()))
            .side(overTcp, () -> tcp.micros("reduce", c.bytes(), c.warm(), c.rounds()))
            .side(bare, () -> unix.micros("bare", c.bytes(), c.warm(), c.rounds()))
            .side(peer, new Peers(settings).lap(PEER, "--bytes", c.bytes()))
            .run();
    race.into(report, "us");
    Series value = race.get(ours);
    Result result =
        Result.time(c.name(), value, "us")
            .against(PEER, race.find(peer))
            .limit(race.get(bare))
            .with("tcp_us", race.get(overTcp).median())
            .with("gb_per_s", c.bytes() / value.median() / 1e3);
    if (c.bytes() >= 100 << 20) {
      result.mustBeat(8);
    } else if (c.bytes() <= 4 << 10) {
      result.must("under 100 us", value.median() < 100);
    }
    report.add(result);
  }
}
