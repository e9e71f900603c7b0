/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The processes that read one file, and their laps in MB of the file a second. Closing ends those
 * of the peers.
 */
final class RecordReadSides implements AutoCloseable {
  private final RecordCase records;
  private final Path file;
  private final int passes;
  private final LineProcess ours;

  /** For what is shown beside: in the same process it would change how ours is compiled. */
  private final LineProcess beside;

  private final LinePeer java;
  private final LinePeer tfData;
  private final JsonNode made;
  private final Set<LinePeer> verified = new HashSet<>();
  private final CpuRates cpu = new CpuRates();

  /** Makes the file and checks that we read it as it was written. */
  RecordReadSides(
      Settings settings, RecordCase records, Path file, LineProcess ours, LineProcess beside)
      throws IOException {
    this.records = records;
    this.file = file;
    this.ours = ours;
    this.beside = beside;
    passes = settings.quick() ? 1 : 4;
    java = LinePeer.java(settings);
    tfData = LinePeer.tfData(settings);
    String order = records.anyOrder() ? "any" : "same";
    made = beside.ask("make", file, records.columns(), records.rows(), order, records.wanted());
    JsonNode read = ours.ask("check", file, records.wanted());
    Executors.check(isWhole(read), "ours read " + read + " of " + made);
  }

  private boolean isWhole(JsonNode read) {
    return read.path("records").asLong() == records.rows()
        && read.path("hash").asLong(-1) == made.path("hash").asLong();
  }

  RecordCase records() {
    return records;
  }

  /** Records a second at so many MB a second. */
  double records(double megabytes) {
    return megabytes * 1e6 / made.path("bytes").asDouble() * records.rows();
  }

  /** Our side: one of the ways to read that {@code RecordProcess} knows. */
  double ours(String how) throws IOException {
    LineProcess process = how.equals("read") ? ours : beside;
    return rate(how, process.ask(how, file, records.wanted(), passes), passes);
  }

  double warmUp() throws IOException {
    return ours("plain") + ours("rows") + ours("bare") + ours("read") + ours("read");
  }

  double java() throws NotRaced {
    return lap(LinePeer.JAVA, java);
  }

  double tfData() throws NotRaced {
    return lap(LinePeer.TF_DATA, tfData);
  }

  private double lap(String name, LinePeer peer) throws NotRaced {
    if (!verified.contains(peer)) {
      JsonNode read = peer.ask("check", file, records.wanted());
      if (!isWhole(read)) {
        throw new NotRaced("it read " + read + " of " + made);
      }
      verified.add(peer);
    }
    return rate(name, peer.ask("read", file, records.wanted(), 1), 1);
  }

  private double rate(String side, JsonNode timed, int times) {
    Executors.check(
        timed.path("records").asLong() == (long) records.rows() * times, "records: " + timed);
    return cpu.lap(
        side,
        made.path("bytes").asDouble() * times / 1e6,
        timed.path("seconds").asDouble(),
        timed.path("cpu").asDouble());
  }

  /** Rates by processor time of all laps since they were cleared. */
  CpuRates cpu() {
    return cpu;
  }

  String versions() {
    return java.versions() + " " + tfData.versions();
  }

  @Override
  public void close() throws IOException {
    try (java;
        tfData) {
      verified.clear();
    }
  }
}
