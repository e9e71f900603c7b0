/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.tfrecord.Compression;
import scala.Tuple2;

/** The formats as users of RDDs call them. */
class TFRecordRddIT {
  private static SparkSession spark;
  private static JavaSparkContext context;

  private final List<byte[]> records = Frames.records(300, 23);
  private final Configuration configuration = new Configuration();
  @TempDir java.nio.file.Path folder;

  @BeforeAll
  static void start() {
    spark = LocalSpark.start(new Configuration());
    context = JavaSparkContext.fromSparkContext(spark.sparkContext());
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @BeforeEach
  void writeFile() throws IOException {
    Files.createDirectories(folder.resolve("in"));
    Files.write(folder.resolve("in/a.tfrecord"), Frames.file(records.subList(0, 200)));
    Files.write(folder.resolve("in/b.tfrecord"), Frames.file(List.of()));
    Files.write(
        folder.resolve("in/c.tfrecord.gz"),
        Frames.file(records.subList(200, 300), Compression.GZIP));
  }

  private JavaPairRDD<BytesWritable, NullWritable> load(String name) {
    return context.newAPIHadoopFile(
        folder + "/" + name,
        TFRecordInputFormat.class,
        BytesWritable.class,
        NullWritable.class,
        configuration);
  }

  private void save(List<byte[]> data, String name) {
    context
        .parallelize(data, 3)
        .mapToPair(record -> new Tuple2<>(new BytesWritable(record), NullWritable.get()))
        .saveAsNewAPIHadoopFile(
            folder + "/" + name,
            BytesWritable.class,
            NullWritable.class,
            TFRecordOutputFormat.class,
            configuration);
  }

  @ParameterizedTest
  @ValueSource(ints = {3001, 10_000, 65_536, 1 << 20})
  void everyRecordIsReadOnceForEverySplitSize(int splitBytes) {
    configuration.setInt("mapreduce.input.fileinputformat.split.maxsize", splitBytes);
    JavaPairRDD<BytesWritable, NullWritable> rdd = load("in");
    assertThat(rdd.count()).isEqualTo(300);
    Frames.assertSameInAnyOrder(rdd.map(pair -> pair._1().getBytes()).collect(), records);
    assertThat(rdd.getNumPartitions()).isGreaterThan((int) (300_000L / splitBytes));
  }

  @Test
  void keysMayBeCached() {
    JavaPairRDD<BytesWritable, NullWritable> rdd = load("in").cache();
    assertThat(rdd.count()).isEqualTo(300);
    Frames.assertSameInAnyOrder(rdd.map(pair -> pair._1().copyBytes()).collect(), records);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void whatIsSavedIsLoadedEqual(Compression compression) throws IOException {
    configuration.set(TFRecordOutputFormat.COMPRESSION, compression.name());
    save(records, "out");
    Frames.assertSameInAnyOrder(load("out").map(pair -> pair._1().getBytes()).collect(), records);
    RecordFiles files = RecordFiles.list(configuration, List.of(folder + "/out"));
    assertThat(files.files()).hasSize(3).allMatch(f -> f.compression() == compression);
    Frames.assertSame(Frames.readAll(configuration, files.splits(Long.MAX_VALUE)), records);
  }

  @Test
  void aFailedJobLeavesNothingToRead() throws IOException {
    assertThatThrownBy(
            () ->
                context
                    .parallelize(records, 3)
                    .mapToPair(
                        record -> {
                          if (record.length > 3900) {
                            throw new IllegalStateException("the writer dies");
                          }
                          return new Tuple2<>(new BytesWritable(record), NullWritable.get());
                        })
                    .saveAsNewAPIHadoopFile(
                        folder + "/failed",
                        BytesWritable.class,
                        NullWritable.class,
                        TFRecordOutputFormat.class,
                        configuration))
        .hasStackTraceContaining("the writer dies");
    assertThat(RecordFiles.list(configuration, List.of(folder + "/failed")).files()).isEmpty();
  }

  @Test
  void damageIsAnErrorThatNamesFileAndOffset() throws IOException {
    byte[] content = Frames.file(records);
    content[content.length / 2] ^= 4;
    Files.write(folder.resolve("in/a.tfrecord"), content);
    assertThatThrownBy(() -> load("in").count())
        .hasStackTraceContaining("[TFOS-RECORD-00")
        .hasStackTraceContaining("file:" + folder + "/in/a.tfrecord at byte ");
  }
}
