/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.tensorflowonspark.sql.rows.Examples.floats;
import static org.tensorflowonspark.sql.rows.Examples.longs;
import static org.tensorflowonspark.sql.rows.Examples.texts;
import static org.tensorflowonspark.sql.source.Records.example;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Inference of schemas over files. */
class InferenceTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  @TempDir Path temp;

  private static DataFrameReader reader() {
    return SPARK.session().read().format("tfrecord");
  }

  private String schema(DataFrameReader reader) {
    return reader.load(temp.toString()).schema().simpleString();
  }

  @Test
  void filesAreMergedWhateverTheirCompression() throws Exception {
    Records.write(temp.resolve("a.tfrecord"), example("a", longs(1), "list", longs(1)));
    Records.write(temp.resolve("b.tfrecord.gz"), example("b", floats(1)));
    Records.write(temp.resolve("c.tfrecord.zlib"), example("c", texts("x"), "list", longs(1, 2)));
    Files.createFile(temp.resolve("empty.tfrecord"));

    try (JobCounter jobs = new JobCounter(SPARK)) {
      assertThat(schema(reader()))
          .isEqualTo("struct<a:bigint,b:float,c:string,list:array<bigint>>");
      assertThat(jobs.count()).isOne();
    }
    assertThat(schema(reader().option("binaryAsString", false))).contains("c:binary");
  }

  @Test
  void aSchemaOfTheUserNeedsNoJob() throws Exception {
    Records.write(temp.resolve("a.tfrecord"), example("a", longs(1)));

    try (JobCounter jobs = new JobCounter(SPARK)) {
      assertThat(schema(reader().schema("a INT"))).isEqualTo("struct<a:int>");
      assertThat(schema(reader().option("recordType", "ByteArray")))
          .isEqualTo("struct<byteArray:binary>");
      assertThat(jobs.count()).isZero();
    }
  }

  @Test
  void onlyTheBeginningOfFilesIsLookedAtWhenLimited() {
    Records.write(temp.resolve("a.tfrecord"), example("a", longs(1)), example("b", longs(1)));
    Records.write(temp.resolve("c.tfrecord"), example("c", longs(1)), example("d", longs(1)));

    assertThat(schema(reader().option("inferSchema.limit", 1)))
        .isEqualTo("struct<a:bigint,c:bigint>");
  }

  @Test
  void sampledFilesAreSpreadEvenly() {
    for (char name = 'a'; name <= 'f'; name++) {
      Records.write(temp.resolve(name + ".tfrecord"), example("" + name, longs(1)));
    }

    assertThat(schema(reader().option("inferSchema.sampleFiles", 3)))
        .isEqualTo("struct<a:bigint,c:bigint,e:bigint>");
    assertThat(schema(reader().option("inferSchema.sampleFiles", 30))).contains("f:bigint");
  }

  @Test
  void aSampleOfRecordsIsTheSameHoweverFilesAreCut() {
    byte[][] records = new byte[400][];
    for (int i = 0; i < records.length; i++) {
      records[i] = example("f" + i, longs(i));
    }
    Records.write(temp.resolve("a.tfrecord"), records);
    DataFrameReader sampled = reader().option("samplingRatio", 0.1);

    StructType whole = sampled.option("splittable", false).load(temp.toString()).schema();
    SPARK.session().conf().set("spark.sql.files.maxPartitionBytes", 700);
    StructType cut = sampled.option("splittable", true).load(temp.toString()).schema();
    SPARK.session().conf().unset("spark.sql.files.maxPartitionBytes");

    assertThat(cut).isEqualTo(whole);
    assertThat(whole.length()).isBetween(15, 80);
  }

  @Test
  void damageIsAnErrorOrLeftOutAsTheModeSays() throws Exception {
    byte[][] records = {
      example("a", longs(1)), example("b", longs(1)), {1, 2}, example("c", longs(1))
    };
    Records.damage(Records.write(temp.resolve("a.tfrecord"), records), records, 1);

    for (String mode : new String[] {"PERMISSIVE", "DROPMALFORMED"}) {
      assertThat(schema(reader().option("mode", mode))).isEqualTo("struct<a:bigint,c:bigint>");
    }
    assertThatThrownBy(() -> schema(reader()))
        .hasStackTraceContaining("[TFOS-RECORD-002] file:" + temp.resolve("a.tfrecord"));
    assertThat(schema(reader().option("ignoreCorruptFiles", true))).isEqualTo("struct<a:bigint>");
  }

  @Test
  void namesThatDifferInCaseOnlyAreAnErrorUnlessCaseMatters() {
    Records.write(temp.resolve("a.tfrecord"), example("name", longs(1), "Name", longs(2)));

    assertThatThrownBy(() -> schema(reader()))
        .hasMessageContaining("[TFOS-SOURCE-004] The features '")
        .hasMessageContaining("'Name'")
        .hasMessageContaining("'name'");
    SPARK.session().conf().set("spark.sql.caseSensitive", true);
    assertThat(reader().load(temp.toString()).select("name").first().getLong(0)).isEqualTo(1);
    SPARK.session().conf().unset("spark.sql.caseSensitive");
  }

  @Test
  void kindsThatConflictBetweenFilesAreAnErrorThatNamesTheFeature() {
    Records.write(temp.resolve("a.tfrecord"), example("x", longs(1)));
    Records.write(temp.resolve("b.tfrecord"), example("x", texts("1")));

    assertThatThrownBy(() -> schema(reader()))
        .hasMessageContaining("[TFOS-ROW-007]")
        .hasMessageContaining("'x'");
  }

  @ParameterizedTest
  @CsvSource({"a.tfrecord", "a.tfrecord.gz", "a.tfrecord.zlib"})
  void filesOfNoRecordsHaveNoSchema(String name) {
    Records.write(temp.resolve(name));

    assertThatThrownBy(() -> schema(reader())).hasMessageContaining("UNABLE_TO_INFER_SCHEMA");
  }

  @Test
  void aFileOfAForeignCodecIsRefusedByName() throws Exception {
    Files.writeString(temp.resolve("a.tfrecord.snappy"), "x");

    assertThatThrownBy(() -> schema(reader()))
        .hasMessageContaining("[TFOS-FILE-005]")
        .hasMessageContaining("a.tfrecord.snappy");
  }
}
