/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.sql.hadoop.LocalSpark;

class DFUtilIT {
  private static final byte[] IMAGE = {(byte) 0xff, (byte) 0xd8, 0, 1, (byte) 0xc3};

  private static SparkSession spark;
  @TempDir java.nio.file.Path folder;
  private String dir;

  @BeforeAll
  static void start() {
    spark = LocalSpark.start(new Configuration());
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @BeforeEach
  void save() {
    StructType schema =
        DFUtil.parseSchema(
            "struct<id:bigint,größe.m2:float,image:binary,names:array<string>,values:array<bigint>>");
    Dataset<Row> df =
        spark.createDataFrame(
            List.of(
                RowFactory.create(
                    1L, 1.5f, IMAGE, new String[] {"a", "ü"}, new Long[] {1L, 2L, 3L}),
                RowFactory.create(2L, null, IMAGE, new String[] {"b"}, new Long[] {4L})),
            schema);
    dir = folder + "/saved";
    DFUtil.saveAsTFRecords(df, dir);
  }

  private static List<Row> rows(Dataset<Row> df) {
    return df.select("id", "`größe.m2`", "names", "values").orderBy("id").collectAsList();
  }

  private static void assertRows(Dataset<Row> df) {
    List<Row> rows = rows(df);
    assertThat(rows).hasSize(2);
    assertThat(rows.get(0).getFloat(1)).isEqualTo(1.5f);
    assertThat(rows.get(1).isNullAt(1)).isTrue();
    assertThat(rows.get(0).getList(2)).isEqualTo(List.of("a", "ü"));
    assertThat(rows.get(1).getList(2)).isEqualTo(List.of("b"));
    assertThat(rows.get(0).getList(3)).isEqualTo(List.of(1L, 2L, 3L));
    assertThat(rows.get(1).getList(3)).isEqualTo(List.of(4L));
  }

  @Test
  void bytesAreStringsUnlessNamedBinary() {
    Dataset<Row> plain = DFUtil.loadTFRecords(spark, dir);
    assertThat(plain.schema().apply("image").dataType().simpleString()).isEqualTo("string");
    assertRows(plain);

    Dataset<Row> hinted = DFUtil.loadTFRecords(spark, dir, List.of("image"));
    assertThat(hinted.schema().apply("image").dataType().simpleString()).isEqualTo("binary");
    assertThat(hinted.select("image").collectAsList())
        .allSatisfy(row -> assertThat((byte[]) row.get(0)).isEqualTo(IMAGE));
    assertRows(hinted);
  }

  @Test
  void aSchemaHintIsTakenAsItIs() {
    StructType hint =
        DFUtil.parseSchema(
            "struct<values:array<int>,image:binary,id:int,names:array<string>,größe.m2:double>");
    Dataset<Row> df = DFUtil.loadTFRecords(spark, dir, hint);
    assertThat(df.schema()).isEqualTo(hint);
    List<Row> rows = df.orderBy("id").collectAsList();
    assertThat(rows.get(0).getList(0)).isEqualTo(List.of(1, 2, 3));
    assertThat((byte[]) rows.get(0).get(1)).isEqualTo(IMAGE);
    assertThat(rows.get(1).getInt(2)).isEqualTo(2);
    assertThat(rows.get(0).getDouble(4)).isEqualTo(1.5);
  }

  @Test
  void onlyLoadedDataFramesAreKnownAsLoaded() {
    Dataset<Row> df = DFUtil.loadTFRecords(spark, dir);
    assertThat(DFUtil.isLoadedDF(df)).isTrue();
    assertThat(DFUtil.loadedFrom(df)).isEqualTo(dir);
    assertThat(DFUtil.isLoadedDF(df.limit(1))).isFalse();
    assertThat(DFUtil.isLoadedDF(spark.read().format("tfrecord").load(dir))).isFalse();
    assertThat(DFUtil.loadedFrom(df.limit(1))).isNull();
  }

  @Test
  void savingOverWhatIsThereIsAnError() {
    Dataset<Row> df = DFUtil.loadTFRecords(spark, dir);
    assertThatThrownBy(() -> DFUtil.saveAsTFRecords(df, dir))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("PATH_ALREADY_EXISTS");
  }

  @Test
  void aBinaryFeatureThatIsInNoRecordIsAnError() {
    assertThatThrownBy(() -> DFUtil.loadTFRecords(spark, dir, List.of("imgae")))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("Did you mean 'image'?");
  }
}
