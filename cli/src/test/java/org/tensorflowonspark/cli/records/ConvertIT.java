/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.tensorflowonspark.cli.records.RecordFixture.HEADER;
import static org.tensorflowonspark.cli.records.RecordFixture.damage;
import static org.tensorflowonspark.cli.records.RecordFixture.examples;
import static org.tensorflowonspark.cli.records.RecordFixture.offset;
import static org.tensorflowonspark.cli.records.RecordFixture.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.tfrecord.Compression;

/** {@code convert}, each time with a Spark of its own in this JVM. */
class ConvertIT {
  private static final String CSV =
      """
      id,name,weight
      1,"Zoë, or not",0.5
      2,,1.25
      3,"two \"\"words\"\"  ",-30.5
      9007199254740993,plain,
      """;

  @TempDir Path temp;

  @Test
  void csvComesBackAsItWas() throws IOException {
    Path csv = Files.writeString(temp.resolve("rows.csv"), CSV);
    Path records = temp.resolve("rows.tfrecord");
    String schema = "id BIGINT, name STRING, weight FLOAT";
    JsonNode result =
        convert(csv, records, "--json", "--schema", schema, "--partitions", "1").json().get(0);
    assertThat(result.get("from").asText()).isEqualTo("csv");
    assertThat(result.get("to").asText()).isEqualTo("tfrecord");
    assertThat(result.get("records").asInt()).isEqualTo(4);
    assertThat(result.get("files").asInt()).isEqualTo(1);
    assertThat(result.get("schema").asText()).isEqualTo("id BIGINT,name STRING,weight FLOAT");
    assertThat(result.get("bytes").asLong()).isEqualTo(Files.size(parts(records).get(0)));
    RecordsRun.of(temp, "verify", "--record-type", "Example", records).fine();

    Path again = temp.resolve("again.csv");
    convert(records, again, "--schema", schema);
    assertThat(text(again)).isEqualTo(CSV);

    // What the records tell by themselves is the same, only in the order of names.
    Path told = temp.resolve("told.csv");
    convert(records, told);
    assertThat(text(told)).isEqualTo(CSV);
  }

  @Test
  void parquetAndJsonKeepListsAndBytes() throws IOException {
    Path records = write(temp.resolve("in/a.tfrecord"), Compression.NONE, examples(5));
    String schema = "id BIGINT, name STRING, raw BINARY, x ARRAY<FLOAT>";
    Path json = temp.resolve("rows.json");
    convert(records.getParent(), json, "--schema", schema);
    assertThat(text(json).lines())
        .hasSize(5)
        .contains("{\"id\":2,\"name\":\"näme 2\",\"raw\":\"/wAC\",\"x\":[0.5,1.5]}")
        .contains("{\"id\":0,\"name\":\"näme 0\",\"raw\":\"/wAA\",\"x\":[]}");

    Path parquet = temp.resolve("rows.parquet");
    convert(records.getParent(), parquet, "--no-binary-as-string");
    Path fromJson = temp.resolve("from-json.tfrecord.gz");
    convert(json, fromJson, "--schema", schema, "--compression", "gzip", "--partitions", "1");
    Path fromParquet = temp.resolve("from-parquet");
    convert(parquet, fromParquet, "--to", "tfrecord", "--partitions", "1");
    assertThat(parts(fromJson).get(0).toString()).endsWith(".gz");

    for (Path back : List.of(fromJson, fromParquet)) {
      List<String> expected = features(records);
      assertThat(features(back)).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private List<String> features(Path path) {
    return RecordsRun.of(temp, "head", "--json", path).fine().json().stream()
        .map(record -> record.get("features"))
        .map(f -> f.get("id") + "" + f.get("name") + f.get("raw") + f.get("x"))
        .toList();
  }

  @Test
  void existingOutputIsReplacedOnlyWhenTold() throws IOException {
    Path csv = Files.writeString(temp.resolve("rows.csv"), CSV);
    Path output = Files.createDirectory(temp.resolve("rows.tfrecord"));
    Path old = Files.writeString(output.resolve("old"), "old");
    RecordsRun.of(temp, "convert", csv, output).failed(1, "[TFOS-CLI-007]");
    assertThat(old).hasContent("old");

    convert(csv, output, "--overwrite");
    assertThat(old).doesNotExist();
    assertThat(RecordsRun.of(temp, "count", "--json", output).json().get(0).get("records").asInt())
        .isEqualTo(4);
    // The input may be the output.
    convert(output, output, "--overwrite", "--compression", "zlib", "--partitions", "1");
    assertThat(parts(output)).singleElement().asString().endsWith(".zlib");
  }

  @Test
  void failureLeavesNothingAndTheOldOutputAsItWas() throws IOException {
    Path file = write(temp.resolve("in.tfrecord"), Compression.NONE, examples(5));
    damage(file, offset(examples(5), 2) + HEADER);
    Path output = Files.createDirectory(temp.resolve("rows.json"));
    Path old = Files.writeString(output.resolve("old"), "old");
    RecordsRun.of(temp, "convert", file, output, "--overwrite", "--schema", "id BIGINT")
        .failed(1, "[TFOS-RECORD-002]")
        .failed(1, "in.tfrecord at byte " + offset(examples(5), 2));
    assertThat(old).hasContent("old");

    RecordsRun.of(temp, "convert", file, temp.resolve("new.json"), "--schema", "id BIGINT")
        .failed(1, "[TFOS-RECORD-002]");
    RecordsRun.of(temp, "convert", temp.resolve("no.csv"), temp.resolve("new.tfrecord"))
        .failed(1, "no.csv");
    try (Stream<Path> left = Files.list(temp)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("in.tfrecord", "rows.json");
    }
  }

  @Test
  void whatAFormatCannotHoldIsSaidBefore() throws IOException {
    Path file = write(temp.resolve("in.tfrecord"), Compression.NONE, examples(5));
    RecordsRun.of(temp, "convert", file, temp.resolve("a.csv"), "--no-binary-as-string")
        .failed(1, "[TFOS-CLI-008] CSV has no place for the columns")
        .failed(1, "raw BINARY")
        .failed(1, "x ARRAY<FLOAT>");
    convert(file, temp.resolve("a.csv"), "--schema", "id BIGINT, name STRING");
    assertThat(text(temp.resolve("a.csv"))).startsWith("id,name\n0,näme 0\n");
  }

  @Test
  void rowsThatDoNotFitAreNoSilentNulls() throws IOException {
    Path csv = Files.writeString(temp.resolve("rows.csv"), "id,name\n1,a\nx,b\n");
    Path output = temp.resolve("rows.tfrecord");
    RecordsRun.of(temp, "convert", csv, output, "--schema", "id BIGINT, name STRING")
        .failed(1, "[TFOS-CLI-009] Cannot convert " + csv);
    // Columns are not taken for others because of their places.
    RecordsRun.of(temp, "convert", csv, output, "--schema", "name STRING, id STRING")
        .failed(1, "[TFOS-CLI-009]");
    Path json = Files.writeString(temp.resolve("rows.json"), "{\"id\":1}\n{\"id\":\n");
    RecordsRun.of(temp, "convert", json, output).failed(1, "[TFOS-CLI-009]");
    assertThat(output).doesNotExist();
  }

  @Test
  void filesWithoutAHeader() throws IOException {
    Path csv = Files.writeString(temp.resolve("rows.csv"), "1,a\n2,b\n");
    Path records = temp.resolve("rows.tfrecord");
    convert(csv, records, "--no-header", "--schema", "id INT, name STRING");
    Path back = temp.resolve("back.csv");
    convert(records, back, "--no-header", "--partitions", "1");
    assertThat(text(back).lines()).containsExactlyInAnyOrder("1,a", "2,b");
  }

  @Test
  void textsWithLineBreaks() throws IOException {
    String text = "id,name\n1,\"two\nlines\"\n";
    Path csv = Files.writeString(temp.resolve("rows.csv"), text);
    Path records = temp.resolve("rows.tfrecord");
    RecordsRun.of(temp, "convert", csv, records).failed(1, "[TFOS-CLI-009]");
    convert(csv, records, "--multi-line");
    convert(records, temp.resolve("back.csv"));
    assertThat(text(temp.resolve("back.csv"))).isEqualTo(text);
  }

  private RecordsRun convert(Object input, Object output, String... options) {
    Object[] arguments =
        Stream.concat(Stream.of("convert", input, output), Stream.of(options)).toArray();
    return RecordsRun.of(temp, arguments).fine();
  }

  /** All that is in the files, one after the other. */
  private static String text(Path folder) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path part : parts(folder)) {
      text.append(Files.readString(part, UTF_8));
    }
    return text.toString();
  }

  private static List<Path> parts(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.getFileName().toString().startsWith("part-")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
