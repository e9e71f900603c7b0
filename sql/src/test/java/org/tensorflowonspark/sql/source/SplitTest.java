/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.sql.rows.Examples;

class SplitTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  private static final long SEED = 20240607;

  @TempDir Path temp;

  private Dataset<Row> read(Path path, long splitBytes, boolean splittable) {
    SPARK.session().conf().set("spark.sql.files.maxPartitionBytes", splitBytes);
    SPARK.session().conf().set("spark.sql.files.openCostInBytes", 0);
    return SPARK
        .session()
        .read()
        .format("tfrecord")
        .schema("id BIGINT, filler BINARY")
        .option("splittable", splittable)
        .load(path.toString());
  }

  /** Records of very different lengths; some hold what looks like a record themselves. */
  private static byte[][] records(int count) {
    Random random = new Random(SEED);
    byte[][] records = new byte[count][];
    for (int i = 0; i < count; i++) {
      String filler =
          "x".repeat(random.nextInt(4) == 0 ? random.nextInt(3000) : random.nextInt(40));
      records[i] = Records.example("id", Examples.longs(i), "filler", Examples.texts(filler));
    }
    return records;
  }

  @Test
  void everyRecordIsReadOnceForEverySizeOfSplits() throws Exception {
    Path file = Records.write(temp.resolve("a.tfrecord"), records(200));
    long length = Files.size(file);

    // Spark itself goes no higher than one half, since there are two cores.
    for (long splitBytes : new long[] {length / 40, length / 17, length / 3, length / 2}) {
      Dataset<Row> data = read(file, splitBytes, true);

      assertThat(data.rdd().getNumPartitions())
          .as("splits of %d bytes of %d", splitBytes, length)
          .isEqualTo((int) ((length + splitBytes - 1) / splitBytes));
      List<Long> ids =
          data.select("id").collectAsList().stream().map(row -> row.getLong(0)).sorted().toList();
      assertThat(ids).as("seed %d, splits of %d bytes", SEED, splitBytes).hasSize(200);
      for (int i = 0; i < 200; i++) {
        assertThat(ids.get(i)).isEqualTo(i);
      }
    }
  }

  @Test
  void compressedFilesAndThoseNotToBeSplitAreReadWhole() {
    Path plain = Records.write(temp.resolve("plain/a.tfrecord"), records(50));
    Path gzip = Records.write(temp.resolve("gzip/a.tfrecord.gz"), records(50));
    Path zlib = Records.write(temp.resolve("zlib/a.tfrecord.zlib"), records(50));

    for (Dataset<Row> data :
        List.of(read(plain, 100, false), read(gzip, 100, true), read(zlib, 100, true))) {
      assertThat(data.rdd().getNumPartitions()).isOne();
      assertThat(data.count()).isEqualTo(50);
    }
  }

  @Test
  void schemasAreInferredFromAllPartsOfAFile() {
    byte[][] records = records(100);
    records[99] = Records.example("last", Examples.floats(1));
    Path file = Records.write(temp.resolve("a.tfrecord"), records);
    SPARK.session().conf().set("spark.sql.files.maxPartitionBytes", 500);

    assertThat(
            SPARK.session().read().format("tfrecord").load(file.toString()).schema().fieldNames())
        .containsExactly("filler", "id", "last");
  }
}
