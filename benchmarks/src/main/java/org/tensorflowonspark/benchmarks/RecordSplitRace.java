/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.benchmarks.records.Column;
import org.tensorflowonspark.testkit.LocalCluster;

/** One large file by the data source: cut for two executors, against whole on one of them. */
final class RecordSplitRace implements Benchmark {
  private static final int ROWS = 336_000;
  private static final int CACHE_LINE = 16;

  /** Keeps sums of labels small enough to be exact. */
  private static final int PRIME = 1009;

  private static final String CUT = "1 GB cut, two cores";
  private static final String WHOLE = "1 GB whole, one core";
  private static final String TWO = "two files of half as many bytes, two cores";
  private static final String ONE = "one file of half as many bytes, one core";
  private static final String PART_BYTES = "spark.sql.files.maxPartitionBytes";
  private static final String FEWEST_PARTS = "spark.sql.files.minPartitionNum";

  private static final StructType SCHEMA =
      new StructType()
          .add("image", DataTypes.createArrayType(DataTypes.FloatType, false), false)
          .add("label", DataTypes.LongType, false);

  @Override
  public void run(Settings settings, Report report) throws Exception {
    int rows = (settings.quick() ? ROWS / 20 : ROWS) / (2 * Column.BATCH) * (2 * Column.BATCH);
    try (RecordFolder folder = RecordFolder.create();
        LocalCluster spark = Executors.start(settings, 2048)) {
      Path whole = folder.file("whole");
      List<Path> halves = List.of(folder.file("first"), folder.file("second"));
      make(whole, rows);
      make(halves.get(0), rows / 2);
      Files.copy(halves.get(0), halves.get(1));
      double sum = sum(rows);
      for (int i = 0; i < (settings.quick() ? 1 : 5); i++) {
        double unused = cut(spark, whole, sum) + whole(spark, List.of(whole), sum);
      }
      Race race =
          new Race(settings.rounds(9))
              .side(CUT, () -> cut(spark, whole, sum))
              .side(WHOLE, () -> whole(spark, List.of(whole), sum))
              .side(TWO, () -> whole(spark, halves, sum))
              .side(ONE, () -> whole(spark, halves.subList(0, 1), sum / 2))
              .run();
      race.into(report, "s");
      Series value = ratio(race.get(WHOLE), race.get(CUT));
      Series limit = ratio(race.get(ONE), race.get(TWO).map(seconds -> seconds / 2));
      report.row("two cores against one, one file cut", value, "ratio");
      report.row("two cores against one, two files (limit)", limit, "ratio");
      report.add(
          Result.rate("1GB", value, "ratio")
              .limit(limit)
              .must("at least 1.8", value.median() >= 1.8)
              .with("mb_per_s", Files.size(whole) / race.get(CUT).median() / 1e6)
              .with("one_core_mb_per_s", Files.size(whole) / race.get(WHOLE).median() / 1e6));
      report.note(
          "%.0f MB, 784 floats and a label a record, files %s, read with a given schema. %s"
              .formatted(Files.size(whole) / 1e6, folder.where(), Executors.PINNED));
      report.note(
          "Counted: a Spark job that goes over all rows as Spark has them and adds up labels and"
              + " one float of each 64 bytes; the sum is checked in each round. A reader that"
              + " cannot cut files reaches 1.0.");
      report.note(
          "The limit is what the second core adds when each core reads a file of its own: two busy"
              + " cores slow each other.");
    }
  }

  private static void make(Path file, int rows) throws IOException {
    String columns = RecordCase.FLOATS.columns();
    try (LineProcess ours = LineProcess.ours()) {
      JsonNode unused = ours.ask("make", file, columns, rows, "same", columns);
    }
  }

  /** What {@link #touch} must find. */
  private static double sum(int rows) {
    double sum = 0;
    List<Column> columns = Column.parse(RecordCase.FLOATS.columns());
    columns.forEach(Column::generate);
    Column image = columns.get(0);
    for (int row = 0; row < Column.BATCH; row++) {
      sum += columns.get(1).longs[row] % PRIME;
      for (int i = 0; i < image.width; i += CACHE_LINE) {
        sum += image.floats[row * image.width + i];
      }
    }
    int batches = rows / Column.BATCH;
    return sum * batches;
  }

  private static Series ratio(Series above, Series below) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < above.rounds(); i++) {
      ratios.add(above.values().get(i) / below.values().get(i));
    }
    return new Series(ratios);
  }

  /** Spark's own way to cut files. */
  private static double cut(LocalCluster spark, Path file, double sum) {
    spark.spark().conf().unset(PART_BYTES);
    spark.spark().conf().unset(FEWEST_PARTS);
    return scan(spark, List.of(file), sum, true);
  }

  /** A task for each file. */
  private static double whole(LocalCluster spark, List<Path> files, double sum) {
    spark.spark().conf().set(PART_BYTES, "4g");
    spark.spark().conf().set(FEWEST_PARTS, Integer.toString(files.size()));
    return scan(spark, files, sum, false);
  }

  private static double scan(LocalCluster spark, List<Path> files, double sum, boolean isCut) {
    String[] paths = files.stream().map(file -> file.toUri().toString()).toArray(String[]::new);
    long start = System.nanoTime();
    Dataset<Row> frame = spark.spark().read().format("tfrecord").schema(SCHEMA).load(paths);
    JavaRDD<InternalRow> rows = frame.queryExecution().toRdd().toJavaRDD();
    List<Double> sums = rows.mapPartitions(RecordSplitRace::touch).collect();
    double seconds = Executors.seconds(start);
    Executors.check(isCut ? sums.size() > 1 : sums.size() == files.size(), "parts: " + sums.size());
    double found = sums.stream().mapToDouble(Double::doubleValue).sum();
    Executors.check(found == sum, "sum of " + files + " is " + found + " instead of " + sum);
    return seconds;
  }

  private static Iterator<Double> touch(Iterator<InternalRow> rows) {
    double sum = 0;
    while (rows.hasNext()) {
      InternalRow row = rows.next();
      sum += row.getLong(1) % PRIME;
      ArrayData image = row.getArray(0);
      int width = image.numElements();
      for (int i = 0; i < width; i += CACHE_LINE) {
        sum += image.getFloat(i);
      }
    }
    return List.of(sum).iterator();
  }
}
