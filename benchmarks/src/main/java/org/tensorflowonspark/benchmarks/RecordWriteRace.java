/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows to TFRecord files, on one core. */
final class RecordWriteRace implements Benchmark {
  private static final String OURS = " rows of Spark to file";
  private static final String BARE = " copy, checksum and write (limit)";

  @Override
  public void run(Settings settings, Report report) throws Exception {
    String where = "";
    String versions = "";
    for (RecordCase each : List.of(RecordCase.FLOATS, RecordCase.SCALARS)) {
      if (settings.wants(each.name())) {
        try (RecordFolder folder = RecordFolder.create();
            LineProcess ours = LineProcess.ours();
            LinePeer java = LinePeer.java(settings)) {
          CpuRates cpu = new CpuRates();
          new Sides(each.of(settings), folder.file("records"), ours, java, cpu)
              .race(settings, report);
          where = folder.where();
          versions = java.versions();
        }
      }
    }
    report.note(
        "MB of the file a second, new files "
            + where
            + ". Ours: rows of Spark through RowEncoder and RecordWriter; the peer: arrays through"
            + " builders of protobuf-java and TFRecordWriter. One core, by turns.");
    report.note(
        "Checked before: each side's file is read by both with the values that were written."
            + " Excluded: making the rows, start of processes, warm-up.");
    report.note(
        "The limit: records of as many bytes with their checksums, copied once and written in"
            + " pieces.");
    report.note("The peer runs " + versions);
  }

  /** The processes of one case, and their laps in MB a second. */
  private record Sides(
      RecordCase records, Path file, LineProcess ours, LinePeer java, CpuRates cpu) {

    void race(Settings settings, Report report) throws Exception {
      long bytes = verify();
      long each = bytes / records.rows() - 16;
      String name = records.name();
      String peer = name + " " + LinePeer.JAVA;
      Race unused =
          new Race(settings.quick() ? 1 : 3)
              .side("warm-up of ours", () -> lap(bytes, "write") + bare(bytes, each))
              .side("warm-up of " + peer, () -> theirs(bytes))
              .run();
      cpu.clear();
      Race race =
          new Race(settings.rounds(9))
              .side(name + OURS, () -> lap(bytes, "write"))
              .side(peer, () -> theirs(bytes))
              .side(name + BARE, () -> bare(bytes, each))
              .run();
      race.into(report, "MB/s");
      cpu.into(report, "MB/s");
      Series value = race.get(name + OURS);
      Result result =
          Result.rate(name, value, "MB/s")
              .against(LinePeer.JAVA, race.find(peer))
              .limit(race.get(name + BARE))
              .mustBeat(5)
              .with("records_per_s", value.median() * 1e6 / bytes * records.rows());
      @Nullable Double byCpu = cpu.ratio("write", LinePeer.JAVA);
      report.add(byCpu == null ? result : result.with("cpu_ratio", byCpu));
    }

    /** Has both read what both wrote, as far as the peer can be raced; gives our file's length. */
    private long verify() throws IOException {
      JsonNode made = ours.ask("expected", file, records.columns(), records.rows());
      double unused = lap(1, "write");
      long bytes = Files.size(file);
      check(made, ours.ask("check", file, records.columns()));
      try {
        check(made, java.ask("check", file, records.columns()));
        JsonNode unusedToo = java.ask("write", file, records.columns(), records.rows());
        check(made, ours.ask("check", file, records.columns()));
        check(made, java.ask("check", file, records.columns()));
      } catch (NotRaced e) {
        System.err.println(LinePeer.JAVA + " checks nothing: " + e.getMessage());
      }
      return bytes;
    }

    private static void check(JsonNode made, JsonNode read) {
      Executors.check(read.equals(made), "read " + read + " of " + made);
    }

    private double lap(long bytes, String how) throws IOException {
      return rate(how, bytes, ours.ask(how, file, records.columns(), records.rows()));
    }

    private double bare(long bytes, long each) throws IOException {
      return rate(
          "bare", bytes, ours.ask("barewrite", file, records.columns(), records.rows(), each));
    }

    private double theirs(long bytes) throws NotRaced {
      return rate(LinePeer.JAVA, bytes, java.ask("write", file, records.columns(), records.rows()));
    }

    private double rate(String side, long bytes, JsonNode timed) {
      return cpu.lap(
          side, bytes / 1e6, timed.path("seconds").asDouble(), timed.path("cpu").asDouble());
    }
  }
}
