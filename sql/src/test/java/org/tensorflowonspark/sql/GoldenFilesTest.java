/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Files that TensorFlow wrote, read through the data source: equal to what TensorFlow itself reads
 * in them. {@code python/make-records} made both.
 */
class GoldenFilesTest {
  private static final JsonNode FILES = expected().get("files");

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void thereAreFiles() {
    assertThat(names()).hasSizeGreaterThanOrEqualTo(8);
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyRecordIsReadAsTensorFlowReadsIt(String name) {
    StructType schema = schema(name).add("nobody has it", "bigint");
    assertRecords(name, read(name, schema), schema);
  }

  @ParameterizedTest
  @MethodSource("filled")
  void theInferredSchemaReadsTheSame(String name) {
    Dataset<Row> rows = read(name, null);
    assertThat(columns(rows.schema())).isEqualTo(columns(schema(name)));
    assertRecords(name, rows, rows.schema());
  }

  private static StructType schema(String name) {
    String ddl = FILES.get(name).get("schema").asText();
    return ddl.isEmpty() ? new StructType() : StructType.fromDDL(ddl);
  }

  private static Dataset<Row> read(String name, StructType schema) {
    var reader =
        spark
            .read()
            .format("tfrecord")
            .option("recordType", FILES.get(name).get("recordType").asText())
            .option("binaryAsString", false);
    return (schema == null ? reader : reader.schema(schema)).load(file(name).toString());
  }

  private static void assertRecords(String name, Dataset<Row> rows, StructType schema) {
    JsonNode records = FILES.get(name).get("records");
    List<Row> read = rows.collectAsList();
    assertThat(read).hasSize(records.size());
    for (int i = 0; i < records.size(); i++) {
      for (StructField column : schema.fields()) {
        Object value = read.get(i).get(read.get(i).fieldIndex(column.name()));
        assertThat(comparable(value))
            .as("%s, record %d, column '%s'", name, i, column.name())
            .isEqualTo(expected(records.get(i), column));
      }
    }
  }

  /** What a column has to be for a record: null for an absent feature, a list or one value else. */
  private static Object expected(JsonNode record, StructField column) {
    DataType type = column.dataType();
    if (type instanceof NullType) {
      return null;
    }
    JsonNode steps = record.path("lists").get(column.name());
    if (steps != null) {
      return list(steps, GoldenFilesTest::values);
    }
    JsonNode feature = record.get("features").get(column.name());
    if (feature == null) {
      return null;
    }
    List<Object> values = values(feature);
    if (type instanceof ArrayType) {
      return values;
    }
    return values.isEmpty() ? null : values.get(0);
  }

  private static List<Object> values(JsonNode feature) {
    String kind = feature.get("kind").asText();
    return list(
        feature.get("values"),
        value ->
            switch (kind) {
              case "int64" -> (Object) value.asLong();
              // Which "NaN" and "Infinity" are, too.
              case "float" -> (float) Double.parseDouble(value.asText());
              default -> ByteBuffer.wrap(Base64.getDecoder().decode(value.asText()));
            });
  }

  private static List<Object> list(
      JsonNode array, java.util.function.Function<JsonNode, Object> element) {
    List<Object> list = new ArrayList<>();
    array.forEach(value -> list.add(element.apply(value)));
    return list;
  }

  private static Object comparable(Object value) {
    if (value instanceof Seq<?> seq) {
      List<Object> list = new ArrayList<>();
      CollectionConverters.asJava(seq).forEach(element -> list.add(comparable(element)));
      return list;
    }
    return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
  }

  private static Map<String, String> columns(StructType schema) {
    Map<String, String> columns = new TreeMap<>();
    for (StructField field : schema.fields()) {
      columns.put(field.name(), field.dataType().sql());
    }
    return columns;
  }

  static List<String> names() {
    List<String> names = new ArrayList<>();
    FILES.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** Of no records at all there is no schema. */
  static List<String> filled() {
    return names().stream().filter(name -> !FILES.get(name).get("records").isEmpty()).toList();
  }

  private static Path file(String name) {
    try {
      return Path.of(GoldenFilesTest.class.getResource("/golden/" + name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode expected() {
    try (InputStream in = GoldenFilesTest.class.getResourceAsStream("/golden/expected.json")) {
      return new ObjectMapper().readTree(new String(in.readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
