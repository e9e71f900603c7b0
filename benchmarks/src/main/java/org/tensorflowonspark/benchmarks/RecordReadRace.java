/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** TFRecord files to columns of primitives, on one core. */
final class RecordReadRace implements Benchmark {
  private static final String OURS = " file to columns";
  private static final String PLAIN = " the same without Hadoop's file system";
  private static final String ROWS = " file to rows of Spark";
  private static final String BARE = " read, checksum and one copy (limit)";

  private final List<RecordCase> cases;
  private final double must;
  private final double mustTfData;

  private RecordReadRace(List<RecordCase> cases, double must, double mustTfData) {
    this.cases = cases;
    this.must = must;
    this.mustTfData = mustTfData;
  }

  /** All features of each record. */
  static RecordReadRace whole() {
    return new RecordReadRace(
        List.of(RecordCase.FLOATS, RecordCase.SCALARS, RecordCase.UNORDERED, RecordCase.BYTES),
        6,
        1.5);
  }

  /** Few of many features. */
  static RecordReadRace pruned() {
    return new RecordReadRace(List.of(RecordCase.PRUNED), 5, 0);
  }

  @Override
  public void run(Settings settings, Report report) throws Exception {
    String where = "";
    String versions = "";
    for (RecordCase each : cases) {
      if (settings.wants(each.name())) {
        try (RecordFolder folder = RecordFolder.create();
            LineProcess ours = LineProcess.ours();
            LineProcess beside = LineProcess.ours();
            RecordReadSides sides =
                new RecordReadSides(
                    settings, each.of(settings), folder.file("records"), ours, beside)) {
          race(settings, report, sides);
          where = folder.where();
          versions = sides.versions();
        }
      }
    }
    report.note(
        "MB of the file a second, files "
            + where
            + ". One process and one core for each side, the same core by turns; batches of 1024"
            + " rows into columns that are used again.");
    report.note(
        "Checksums of all records are verified by all sides. Checked before: number of records and"
            + " a checksum over all columns are those of what was written, for each side.");
    report.note(
        "The limit: the file read in pieces, CRC32C of each record's data and one copy of it."
            + " Excluded: start of processes, warm-up.");
    report.note("Peers run " + versions);
  }

  private void race(Settings settings, Report report, RecordReadSides sides) throws Exception {
    String name = sides.records().name();
    String java = name + " " + LinePeer.JAVA;
    String tfData = name + " " + LinePeer.TF_DATA;
    Race unused =
        new Race(settings.quick() ? 1 : 3)
            .side("warm-up of ours", sides::warmUp)
            .side("warm-up of " + java, sides::java)
            .side("warm-up of " + tfData, sides::tfData)
            .run();
    sides.cpu().clear();
    Race race =
        new Race(settings.rounds(9))
            .side(name + OURS, () -> sides.ours("read"))
            .side(java, sides::java)
            .side(tfData, sides::tfData)
            .side(name + PLAIN, () -> sides.ours("plain"))
            .side(name + ROWS, () -> sides.ours("rows"))
            .side(name + BARE, () -> sides.ours("bare"))
            .run();
    race.into(report, "MB/s");
    sides.cpu().into(report, "MB/s");
    Series value = race.get(name + OURS);
    Result result =
        Result.rate(name, value, "MB/s")
            .against(LinePeer.JAVA, race.find(java))
            .limit(race.get(name + BARE))
            .with("plain_mb_per_s", race.get(name + PLAIN).median())
            .with("rows_mb_per_s", race.get(name + ROWS).median())
            .with("records_per_s", sides.records(value.median()));
    boolean hasMust = !sides.records().anyOrder();
    if (hasMust) {
      result.mustBeat(must);
    }
    @Nullable Double byCpu = sides.cpu().ratio("read", LinePeer.JAVA);
    if (byCpu != null) {
      result.with("cpu_ratio", byCpu);
    }
    @Nullable Series theirs = race.find(tfData);
    if (theirs != null) {
      double ratio = value.over(theirs);
      result.with("tf_data_mb_per_s", theirs.median()).with("tf_data_ratio", ratio);
      if (hasMust && mustTfData > 0) {
        result.must("at least " + mustTfData + "x tf.data", ratio >= mustTfData);
      }
    }
    report.add(result);
  }
}
