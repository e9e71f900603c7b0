/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ml.linalg.VectorUDT;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoundTripTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  /** Every kind of value, in columns of one value and in arrays; floats where doubles go. */
  private static final String EVERY_TYPE =
      """
      SELECT id,
        CAST(id % 2 AS BOOLEAN) bool, CAST(-id AS TINYINT) tiny, CAST(id * 100 AS SMALLINT) small,
        CAST(-id * 1000000 AS INT) whole, id * -10000000000 long, CAST(id / 3 AS FLOAT) single,
        CAST(id AS DOUBLE) / 4 double, CAST(id / 8 AS DECIMAL(10, 3)) decimal,
        CONCAT('Größe ', id) text, CAST(CONCAT('b', id) AS BINARY) bytes,
        DATE_ADD(DATE'2024-02-28', CAST(id AS INT)) day,
        TIMESTAMP'1969-12-31 23:59:59.123456' + MAKE_DT_INTERVAL(0, CAST(id AS INT)) instant,
        CAST(TIMESTAMP'2024-03-31 02:30:00' AS TIMESTAMP_NTZ) clock,
        TRANSFORM(SEQUENCE(1, id % 4), x -> x * id) longs,
        TRANSFORM(SEQUENCE(1, id % 4), x -> CAST(x AS INT)) wholes,
        TRANSFORM(SEQUENCE(1, id % 4), x -> x > 1) bools,
        TRANSFORM(SEQUENCE(1, id % 4), x -> CAST(x / 3 AS FLOAT)) singles,
        TRANSFORM(SEQUENCE(1, id % 4), x -> CAST(x AS DOUBLE) / 2) doubles,
        TRANSFORM(SEQUENCE(1, id % 4), x -> CONCAT('ü', x)) texts,
        TRANSFORM(SEQUENCE(1, id % 4), x -> CAST(CONCAT('b', x) AS BINARY)) blobs,
        IF(id % 3 = 0, NULL, id) maybe, IF(id % 3 = 0, NULL, ARRAY(CAST(id AS INT))) maybes,
        CAST(ARRAY() AS ARRAY<STRING>) none
      FROM RANGE(1, 40)
      """
          .replace("SEQUENCE(1, id % 4)", "SLICE(ARRAY(1L, 2L, 3L), 1, CAST(id % 4 AS INT))");

  private static final String NESTED =
      """
      SELECT id, IF(id % 5 = 0, NULL, id) maybe, CAST(id AS FLOAT) single,
        TRANSFORM(SLICE(ARRAY(1L, 2L, 3L), 1, CAST(id % 4 AS INT)),
          x -> SLICE(ARRAY(x, x + id, -x), 1, CAST(x AS INT))) longs,
        TRANSFORM(SLICE(ARRAY(1L, 2L, 3L), 1, CAST(id % 4 AS INT)),
          x -> ARRAY(CAST(x AS FLOAT), CAST(id AS FLOAT))) singles,
        TRANSFORM(SLICE(ARRAY(1L, 2L, 3L), 1, CAST(id % 4 AS INT)),
          x -> ARRAY(CONCAT('ü', x), '')) texts,
        IF(id % 3 = 0, NULL, ARRAY(ARRAY(CAST('b' AS BINARY)))) blobs,
        ARRAY(CAST(ARRAY() AS ARRAY<INT>), ARRAY(7)) partly
      FROM RANGE(1, 40)
      """;

  @TempDir Path temp;

  private void assertRoundTrip(Dataset<Row> data, String recordType, String compression) {
    String path = temp.resolve("data").toString();
    data.repartition(3)
        .write()
        .format("tfrecord")
        .option("recordType", recordType)
        .option("compression", compression)
        .save(path);

    Dataset<Row> back =
        SPARK
            .session()
            .read()
            .format("tfrecord")
            .option("recordType", recordType)
            .schema(data.schema())
            .load(path);

    assertThat(texts(back)).isEqualTo(texts(data)).isNotEmpty();
  }

  /** Rows as text, arrays of bytes as their contents. */
  private static List<String> texts(Dataset<Row> data) {
    return data.toJSON().collectAsList().stream().sorted().toList();
  }

  @ParameterizedTest
  @CsvSource({"Example, none", "Example, gzip", "SequenceExample, none", "SequenceExample, zlib"})
  void everyTypeComesBackAsItWas(String recordType, String compression) {
    assertRoundTrip(SPARK.sql(EVERY_TYPE), recordType, compression);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "zlib"})
  void arraysOfArraysComeBackAsTheyWere(String compression) {
    assertRoundTrip(SPARK.sql(NESTED), "SequenceExample", compression);
  }

  @Test
  void doublesAndDecimalsComeBackExactlyWhenAsked() {
    Dataset<Row> data =
        SPARK.sql(
            "SELECT id, id / 3.0D d, ARRAY(id / 7.0D, -0.1D) ds,"
                + " CAST(id / 7 AS DECIMAL(38, 30)) dec FROM RANGE(9)");
    String path = temp.resolve("data").toString();
    data.write().format("tfrecord").option("doubles", "exact").save(path);

    assertThat(texts(SPARK.session().read().format("tfrecord").schema(data.schema()).load(path)))
        .isEqualTo(texts(data));
  }

  @Test
  void bytesComeBackAsTheyWere() {
    assertRoundTrip(
        SPARK.sql("SELECT CAST(REPEAT('x', id * 1000) AS BINARY) byteArray FROM RANGE(0, 20)"),
        "ByteArray",
        "none");
  }

  @Test
  void vectorsComeBackAsTheyWere() {
    StructType schema =
        new StructType().add("id", DataTypes.LongType).add("features", new VectorUDT());
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      rows.add(RowFactory.create((long) i, Vectors.dense(i, 0.5, -i)));
    }
    Dataset<Row> data = SPARK.session().createDataFrame(rows, schema);
    String path = temp.resolve("data").toString();
    data.write().format("tfrecord").save(path);

    Dataset<Row> back = SPARK.session().read().format("tfrecord").schema(schema).load(path);

    assertThat(back.orderBy("id").collectAsList()).isEqualTo(rows);
  }

  @Test
  void listsOfNoneOneAndManyValuesInOneColumnAreInferredAndRead() {
    Dataset<Row> data =
        SPARK.sql(
            "SELECT id, longs, singles, texts FROM (" + EVERY_TYPE + ") WHERE id BETWEEN 1 AND 8");
    String path = temp.resolve("data").toString();
    data.write().format("tfrecord").save(path);

    Dataset<Row> back =
        SPARK
            .session()
            .read()
            .format("tfrecord")
            .load(path)
            .select("id", "longs", "singles", "texts");

    assertThat(back.schema().simpleString())
        .isEqualTo(
            "struct<id:bigint,longs:array<bigint>,singles:array<float>,texts:array<string>>");
    assertThat(texts(back)).isEqualTo(texts(data));
  }
}
