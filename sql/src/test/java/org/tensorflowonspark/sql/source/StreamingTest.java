/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Streams from and to TFRecord files. */
class StreamingTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  @TempDir Path temp;

  private Path in(String name) {
    return temp.resolve("in").resolve(name);
  }

  /** Moves what is new from one folder to the other, a file at a time, and ends. */
  private long run(String mode) throws Exception {
    StreamingQuery query =
        SPARK
            .session()
            .readStream()
            .format("tfrecord")
            .schema("id BIGINT, part STRING")
            .option("mode", mode)
            .option("maxFilesPerTrigger", 1)
            .load(temp.resolve("in").toString())
            .selectExpr("id", "id % 2 AS odd", "part")
            .writeStream()
            .format("tfrecord")
            .option("compression", "gzip")
            .option("checkpointLocation", temp.resolve("checkpoint").toString())
            .partitionBy("odd")
            .trigger(Trigger.AvailableNow())
            .start(temp.resolve("out").toString());
    try {
      query.awaitTermination();
      return query.recentProgress().length;
    } finally {
      query.stop();
    }
  }

  private List<Long> ids() {
    return SPARK
        .session()
        .read()
        .format("tfrecord")
        .load(temp.resolve("out").toString())
        .select("id")
        .collectAsList()
        .stream()
        .map(row -> row.getLong(0))
        .sorted()
        .toList();
  }

  private static List<Long> range(long end) {
    return LongStream.range(0, end).boxed().toList();
  }

  @Test
  void everyFileIsTakenOnceOverSeveralRuns() throws Exception {
    Records.write(in("part=a/1.tfrecord"), Records.numbered(0, 10));
    Records.write(in("part=b/2.tfrecord.gz"), Records.numbered(10, 5));
    run("FAILFAST");
    assertThat(ids()).isEqualTo(range(15));

    run("FAILFAST");
    assertThat(ids()).isEqualTo(range(15));

    Records.write(in("part=a/3.tfrecord"), Records.numbered(15, 5));
    run("FAILFAST");
    assertThat(ids()).isEqualTo(range(20));
    assertThat(Records.dataFiles(temp.resolve("out")))
        .filteredOn(file -> !file.toString().contains("_spark_metadata"))
        .isNotEmpty()
        .allMatch(file -> file.toString().matches(".*/odd=[01]/part-.*\\.tfrecord\\.gz"));
  }

  @Test
  void aRunThatFailsIsTakenUpWhereItFailed() throws Exception {
    byte[][] second = Records.numbered(10, 10);
    Records.write(in("part=a/1.tfrecord"), Records.numbered(0, 10));
    Path damaged = Records.write(in("part=a/2.tfrecord"), second);
    Records.damage(damaged, second, 9);
    // The order in which a stream takes files is that of their times.
    assertThat(in("part=a/1.tfrecord").toFile().setLastModified(1_000_000)).isTrue();

    assertThatThrownBy(() -> run("FAILFAST"))
        .isInstanceOf(StreamingQueryException.class)
        .hasStackTraceContaining("[TFOS-RECORD-002]");
    assertThat(ids()).isEqualTo(range(10));

    run("DROPMALFORMED");
    assertThat(ids()).isEqualTo(range(19));
  }
}
