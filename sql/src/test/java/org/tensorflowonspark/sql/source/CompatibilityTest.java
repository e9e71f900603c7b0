/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.tensorflowonspark.sql.rows.Examples.features;
import static org.tensorflowonspark.sql.rows.Examples.floats;
import static org.tensorflowonspark.sql.rows.Examples.longs;
import static org.tensorflowonspark.sql.rows.Examples.texts;
import static org.tensorflowonspark.sql.source.Records.example;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.FeatureList;
import org.tensorflow.proto.FeatureLists;
import org.tensorflow.proto.SequenceExample;
import org.tensorflowonspark.sql.hadoop.HadoopSource;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;

/** What users of the connector spark-tfrecord know: the same schemas, values and records. */
class CompatibilityTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  @TempDir Path temp;

  private static Dataset<Row> read(String recordType, Path file) {
    return SPARK
        .session()
        .read()
        .format("tfrecord")
        .option("recordType", recordType)
        .load(file.toString());
  }

  /** The records of all files that a query writes, as protobuf reads them. */
  private List<byte[]> written(String recordType, String query) throws Exception {
    Path target = temp.resolve("written");
    SPARK
        .sql(query)
        .coalesce(1)
        .write()
        .format("tfrecord")
        .option("recordType", recordType)
        .save(target.toString());
    List<byte[]> records = new ArrayList<>();
    for (Path file : Records.dataFiles(target)) {
      var path = new org.apache.hadoop.fs.Path(file.toUri());
      try (RecordReader reader =
          RecordReader.open(
              HadoopSource.open(new Configuration(), path, -1), ReadOptions.of(Compression.NONE))) {
        while (reader.next()) {
          byte[] record = new byte[reader.length()];
          System.arraycopy(reader.buffer(), reader.offset(), record, 0, record.length);
          records.add(record);
        }
      }
    }
    return records;
  }

  @Test
  void schemasOfExamplesAreInferredAlike() {
    Path file =
        Records.write(
            temp.resolve("a.tfrecord"),
            example(
                "long",
                longs(1),
                "longs",
                longs(1, 2),
                "float",
                floats(1),
                "floats",
                floats(1, 2),
                "text",
                texts("a"),
                "texts",
                texts("a", "b"),
                "sometimes",
                longs(4)),
            example(
                "long",
                longs(2),
                "longs",
                longs(3),
                "float",
                floats(2),
                "floats",
                floats(3),
                "text",
                texts("b"),
                "texts",
                texts("c")));

    assertThat(read("Example", file).schema().simpleString())
        .isEqualTo(
            "struct<float:float,floats:array<float>,long:bigint,longs:array<bigint>,"
                + "sometimes:bigint,text:string,texts:array<string>>");
    assertThat(
            read("Example", file)
                .selectExpr("long", "longs", "texts", "sometimes")
                .toJSON()
                .collectAsList())
        .containsExactly(
            "{\"long\":1,\"longs\":[1,2],\"texts\":[\"a\",\"b\"],\"sometimes\":4}",
            "{\"long\":2,\"longs\":[3],\"texts\":[\"c\"]}");
  }

  @Test
  void schemasOfSequenceExamplesAreInferredAlike() {
    SequenceExample record =
        SequenceExample.newBuilder()
            .setContext(features("id", longs(7)))
            .setFeatureLists(
                FeatureLists.newBuilder()
                    .putFeatureList("steps", list(longs(1, 2), longs(3)))
                    .putFeatureList("words", list(texts("a"), texts("b", "c"))))
            .build();
    Path file = Records.write(temp.resolve("a.tfrecord"), record.toByteArray());
    Dataset<Row> data = read("SequenceExample", file);

    assertThat(data.schema().simpleString())
        .isEqualTo("struct<id:bigint,steps:array<array<bigint>>,words:array<array<string>>>");
    assertThat(data.toJSON().collectAsList())
        .containsExactly("{\"id\":7,\"steps\":[[1,2],[3]],\"words\":[[\"a\"],[\"b\",\"c\"]]}");
  }

  private static FeatureList list(Feature... steps) {
    return FeatureList.newBuilder().addAllFeature(List.of(steps)).build();
  }

  @Test
  void examplesAreWrittenAlike() throws Exception {
    List<byte[]> records =
        written(
            "Example",
            "SELECT 1 i, 2L l, CAST(1.5 AS FLOAT) f, 0.1D d, CAST(2.5 AS DECIMAL(5, 1)) dec, 'ü' s,"
                + " CAST('b' AS BINARY) b, ARRAY(1, 2) il, ARRAY(0.5D, 0.1D) dl, ARRAY('x') sl,"
                + " CAST(NULL AS STRING) n");

    assertThat(records).hasSize(1);
    assertThat(Example.parseFrom(records.get(0)).getFeatures())
        .isEqualTo(
            features(
                "i",
                longs(1),
                "l",
                longs(2),
                "f",
                floats(1.5f),
                "d",
                floats(0.1f),
                "dec",
                floats(2.5f),
                "s",
                texts("ü"),
                "b",
                texts("b"),
                "il",
                longs(1, 2),
                "dl",
                floats(0.5f, 0.1f),
                "sl",
                texts("x")));
  }

  @Test
  void sequenceExamplesAreWrittenAlike() throws Exception {
    List<byte[]> records =
        written(
            "SequenceExample",
            "SELECT 1 i, ARRAY(1.5D) dl, ARRAY(ARRAY(1, 2), ARRAY(3)) ll, ARRAY(ARRAY('a')) sl");

    assertThat(SequenceExample.parseFrom(records.get(0)))
        .isEqualTo(
            SequenceExample.newBuilder()
                .setContext(features("i", longs(1), "dl", floats(1.5f)))
                .setFeatureLists(
                    FeatureLists.newBuilder()
                        .putFeatureList("ll", list(longs(1, 2), longs(3)))
                        .putFeatureList("sl", list(texts("a"))))
                .build());
  }

  @Test
  void byteArraysAreOneBinaryColumn() throws Exception {
    List<byte[]> records = written("ByteArray", "SELECT CAST('any bytes' AS BINARY) byteArray");

    assertThat(records).containsExactly("any bytes".getBytes(StandardCharsets.UTF_8));
    assertThat(read("ByteArray", temp.resolve("written")).schema().simpleString())
        .isEqualTo("struct<byteArray:binary>");
  }

  @Test
  void valuesOfOneRowDoNotShowInTheNext() {
    Path file =
        Records.write(
            temp.resolve("a.tfrecord"),
            example("a", longs(1), "b", texts("x", "y")),
            example("c", floats(1)),
            example("a", longs(), "b", texts()));

    assertThat(read("Example", file).select("a", "b", "c").toJSON().collectAsList())
        .containsExactly("{\"a\":[1],\"b\":[\"x\",\"y\"]}", "{\"c\":1.0}", "{\"a\":[],\"b\":[]}");
  }
}
