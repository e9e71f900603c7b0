/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.tensorflowonspark.benchmarks.records.Column;
import org.tensorflowonspark.benchmarks.records.Rows;
import org.tensorflowonspark.testkit.LocalCluster;

/** One large file by the data source: cut for two executors, against whole on one of them. */
final class RecordSplitRace implements Benchmark {
  private static final String CUT = ": 1 GB cut, two cores";
  private static final String WHOLE = ": 1 GB whole, one core";
  private static final String TWO = ": two files of half as much, two cores";
  private static final String ONE = ": one file of half as much, one core";
  private static final String JOB = ": the same job over one batch";
  private static final String PART_BYTES = "spark.sql.files.maxPartitionBytes";
  private static final String FEWEST_PARTS = "spark.sql.files.minPartitionNum";

  /** Batches that make 1 GB; the same bytes of scalars take longer than those of floats. */
  private record Case(RecordCase records, int batches) {}

  private static final List<Case> CASES =
      List.of(new Case(RecordCase.FLOATS, 328), new Case(RecordCase.SCALARS, 1200));

  @Override
  public void run(Settings settings, Report report) throws Exception {
    String where = "";
    for (Case each : CASES) {
      if (settings.wants(each.records().name())) {
        try (RecordFolder folder = RecordFolder.create();
            LocalCluster spark = Executors.start(settings, 2048)) {
          int batches = settings.quick() ? each.batches() / 40 * 2 : each.batches();
          new Side(spark, each.records(), folder, batches).race(settings, report);
          where = folder.where();
        }
      }
    }
    report.note("Files " + where + ", read with a given schema. " + Executors.PINNED);
    report.note(
        "Counted: a Spark job over all rows as Spark has them, which adds up whole numbers and one"
            + " float of each 64 bytes; the sum is checked in each round. The file is cut as Spark"
            + " does it unless told otherwise. A reader that cannot cut files reaches 1.0.");
    report.note(
        "The limit is what the second core adds when each core reads a file of its own: two busy"
            + " cores slow each other, and a job takes its time (job_s) whatever it reads.");
  }

  /** The files of one case, and jobs over them. */
  private record Side(LocalCluster spark, RecordCase records, RecordFolder folder, int batches) {

    void race(Settings settings, Report report) throws Exception {
      Path whole = make("whole", batches);
      Path little = make("little", 1);
      List<Path> halves = List.of(make("first", batches / 2), folder.file("second"));
      Files.copy(halves.get(0), halves.get(1));
      for (int i = 0; i < (settings.quick() ? 1 : 8); i++) {
        double unused = cut(whole) + whole(List.of(whole), batches);
      }
      String name = records.name();
      CpuMeter cpu = new CpuMeter(spark);
      Race race =
          new Race(settings.rounds(9))
              .side(name + CUT, cpu.of(name + CUT, () -> cut(whole)))
              .side(name + WHOLE, cpu.of(name + WHOLE, () -> whole(List.of(whole), batches)))
              .side(name + TWO, () -> whole(halves, batches))
              .side(name + ONE, () -> whole(halves.subList(0, 1), batches / 2))
              .side(name + JOB, () -> whole(List.of(little), 1))
              .run();
      race.into(report, "s");
      cpu.into(report, (long) batches * Column.BATCH);
      Series value = ratio(race.get(name + WHOLE), race.get(name + CUT));
      Series limit = ratio(race.get(name + ONE).map(s -> 2 * s), race.get(name + TWO));
      report.row(name + ": two cores against one", value, "ratio");
      report.row(name + ": the same, two files (limit)", limit, "ratio");
      double job = race.get(name + JOB).median();
      Series net =
          ratio(race.get(name + WHOLE).map(s -> s - job), race.get(name + CUT).map(s -> s - job));
      double megabytes = Files.size(whole) / 1e6;
      report.add(
          Result.rate(name, value, "ratio")
              .limit(limit)
              .must("at least 1.8", value.median() >= 1.8)
              .with("mb_per_s", megabytes / race.get(name + CUT).median())
              .with("one_core_mb_per_s", megabytes / race.get(name + WHOLE).median())
              .with("job_s", job)
              .with("ratio_without_job", net.median()));
    }

    private Path make(String name, int count) throws IOException {
      Path file = folder.file(name);
      String columns = records.columns();
      try (LineProcess ours = LineProcess.ours()) {
        JsonNode unused = ours.ask("make", file, columns, count * Column.BATCH, "same", columns);
      }
      return file;
    }

    /** Spark's own way to cut a file. */
    private double cut(Path file) {
      spark.spark().conf().unset(PART_BYTES);
      spark.spark().conf().unset(FEWEST_PARTS);
      return scan(List.of(file), batches, 0);
    }

    /** A task for each file. */
    private double whole(List<Path> files, int count) {
      spark.spark().conf().set(PART_BYTES, "4g");
      spark.spark().conf().set(FEWEST_PARTS, Integer.toString(files.size()));
      return scan(files, count, files.size());
    }

    private double scan(List<Path> files, int count, int parts) {
      String[] paths = files.stream().map(file -> file.toUri().toString()).toArray(String[]::new);
      SplitScan scan = new SplitScan(records.columns());
      long start = System.nanoTime();
      Dataset<Row> frame =
          spark
              .spark()
              .read()
              .format("tfrecord")
              .schema(Rows.schema(Column.parse(records.columns())))
              .load(paths);
      JavaRDD<InternalRow> rows = frame.queryExecution().toRdd().toJavaRDD();
      List<Double> sums = rows.mapPartitions(scan).collect();
      double seconds = Executors.seconds(start);
      Executors.check(parts == 0 ? sums.size() > 1 : sums.size() == parts, "parts: " + sums.size());
      double found = sums.stream().mapToDouble(Double::doubleValue).sum();
      double sum = scan.expected(count);
      Executors.check(found == sum, "sum of " + files + " is " + found + " instead of " + sum);
      return seconds;
    }
  }

  private static Series ratio(Series above, Series below) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < above.rounds(); i++) {
      ratios.add(above.values().get(i) / below.values().get(i));
    }
    return new Series(ratios);
  }
}
