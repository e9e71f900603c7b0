/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.tensorflowonspark.cli.records.RecordFixture.HEADER;
import static org.tensorflowonspark.cli.records.RecordFixture.damage;
import static org.tensorflowonspark.cli.records.RecordFixture.examples;
import static org.tensorflowonspark.cli.records.RecordFixture.offset;
import static org.tensorflowonspark.cli.records.RecordFixture.sequenceExample;
import static org.tensorflowonspark.cli.records.RecordFixture.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.tfrecord.Compression;

/** {@code count}, {@code head} and {@code schema}. */
class ReadingTest {
  private static final byte[][] RECORDS = examples(12);

  @TempDir Path temp;

  @Test
  void countsByFileAndInTotal() throws IOException {
    write(temp.resolve("data/a.tfrecord"), Compression.NONE, RECORDS);
    write(temp.resolve("data/deep/b.tfrecord.gz"), Compression.GZIP, examples(1300));
    Files.createFile(temp.resolve("data/_SUCCESS"));
    RecordsRun run = RecordsRun.of(temp, "count", temp.resolve("data")).fine();
    List<String> lines = run.out().lines().map(String::strip).toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).startsWith("12 records").endsWith("/data/a.tfrecord");
    assertThat(lines.get(1)).startsWith("1,300 records").endsWith("/data/deep/b.tfrecord.gz");
    assertThat(lines.get(2)).startsWith("1,312 records").endsWith("in 2 files");

    JsonNode json =
        RecordsRun.of(temp, "count", "--json", temp.resolve("data")).fine().json().get(0);
    assertThat(json.get("records").asInt()).isEqualTo(1312);
    assertThat(json.get("files").get(0).get("bytes").asInt()).isEqualTo(offset(RECORDS, 12));
    assertThat(json.get("files").get(1).get("records").asInt()).isEqualTo(1300);
  }

  @Test
  void patternsSelectFiles() throws IOException {
    write(temp.resolve("a-1.tfrecord"), Compression.NONE, RECORDS);
    write(temp.resolve("a-2.tfrecord"), Compression.NONE, RECORDS);
    write(temp.resolve("b-1.tfrecord"), Compression.NONE, RECORDS);
    RecordsRun run = RecordsRun.of(temp, "count", temp + "/a-*.tfrecord").fine();
    assertThat(run.out()).endsWith("in 2 files\n");
    run = RecordsRun.of(temp, "count", temp.resolve("b-1.tfrecord").toUri()).fine();
    assertThat(run.out()).endsWith("in 1 file\n");
  }

  @Test
  void countLooksAtDataOnlyWhenAsked() throws IOException {
    Path file = write(temp.resolve("a.tfrecord"), Compression.NONE, RECORDS);
    damage(file, offset(RECORDS, 4) + HEADER);
    RecordsRun.of(temp, "count", file).fine();
    RecordsRun.of(temp, "count", "--check-crc", file)
        .failed(1, "[TFOS-RECORD-002]")
        .failed(1, "a.tfrecord at byte " + offset(RECORDS, 4));
  }

  @Test
  void headShowsTheFirstRecords() throws IOException {
    Path file = write(temp.resolve("a.tfrecord"), Compression.NONE, RECORDS);
    RecordsRun run = RecordsRun.of(temp, "head", file).fine();
    assertThat(run.out().lines().filter(line -> line.startsWith("record "))).hasSize(10);
    assertThat(run.out())
        .contains("record 9: file:" + file + " at byte " + offset(RECORDS, 9))
        .containsPattern("id +int64\\[1] +9\n")
        .containsPattern("name +bytes\\[1] +\"näme 9\"\n")
        .containsPattern("raw +bytes\\[1] +0xff0009 \\(3 bytes\\)\n")
        .containsPattern("x +float\\[9] +0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, ...\n");
    assertThat(RecordsRun.of(temp, "head", "-n", "0", file).fine().out()).isEmpty();
  }

  @Test
  void headInJsonHasEveryValue() throws IOException {
    write(temp.resolve("data/a.tfrecord"), Compression.NONE, RECORDS);
    write(temp.resolve("data/b.tfrecord"), Compression.NONE, RECORDS);
    List<JsonNode> lines =
        RecordsRun.of(temp, "head", "-n14", "--json", temp.resolve("data")).fine().json();
    assertThat(lines).hasSize(14);
    assertThat(lines.get(13).get("file").asText()).endsWith("/b.tfrecord");
    assertThat(lines.get(13).get("offset").asInt()).isEqualTo(offset(RECORDS, 1));
    assertThat(lines.get(13).get("length").asInt()).isEqualTo(RECORDS[1].length);
    JsonNode features = lines.get(11).get("features");
    assertThat(features.get("id").toString()).isEqualTo("{\"int64\":[11]}");
    assertThat(features.get("name").toString()).isEqualTo("{\"bytes\":[\"näme 11\"]}");
    assertThat(features.get("raw").toString()).isEqualTo("{\"bytes\":[{\"base64\":\"/wAL\"}]}");
    List<Double> x = new ArrayList<>();
    features.get("x").get("float").forEach(value -> x.add(value.asDouble()));
    assertThat(x).hasSize(11).startsWith(0.5, 1.5).endsWith(10.5);
  }

  @Test
  void headShowsSequencesAndAnyBytes() throws IOException {
    Path file = write(temp.resolve("a.tfrecord"), Compression.NONE, sequenceExample(7));
    RecordsRun run = RecordsRun.of(temp, "head", "--record-type=SequenceExample", file).fine();
    assertThat(run.out())
        .containsPattern("id +int64\\[1] +7\n")
        .containsPattern("steps +2 steps\n +0 +int64\\[2] +7, -7\n +1 +int64\\[0]\n");
    JsonNode json =
        RecordsRun.of(temp, "head", "--json", "--record-type=sequenceexample", file)
            .fine()
            .json()
            .get(0);
    assertThat(json.get("context").toString()).isEqualTo("{\"id\":{\"int64\":[7]}}");
    assertThat(json.get("featureLists").toString())
        .isEqualTo("{\"steps\":[{\"int64\":[7,-7]},{\"int64\":[]}]}");

    json =
        RecordsRun.of(temp, "head", "--json", "--record-type=ByteArray", file).fine().json().get(0);
    assertThat(json.get("bytes").get("base64").asText()).isNotEmpty();
  }

  @Test
  void headNamesARecordThatIsNone() throws IOException {
    byte[][] records = {RECORDS[1], {1, 2, 3}};
    Path file = write(temp.resolve("a.tfrecord"), Compression.NONE, records);
    RecordsRun run = RecordsRun.of(temp, "head", file);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("[TFOS-RECORD-007]", "a.tfrecord at byte " + offset(records, 1));
    assertThat(run.out()).contains("record 0").doesNotContain("record 1");
  }

  @Test
  void schemaHasTheColumnsAndWhatIsInThem() throws IOException {
    Path file = write(temp.resolve("a.tfrecord"), Compression.NONE, RECORDS);
    RecordsRun run = RecordsRun.of(temp, "schema", file).fine();
    assertThat(run.out())
        .containsPattern("id +int64 +1 +12\n")
        .containsPattern("name +bytes +1 +12\n")
        .containsPattern("x +float +0..11 +12\n")
        .contains("12 records of 1 file, ")
        .contains("schema: id BIGINT,name STRING,raw STRING,x ARRAY<FLOAT>");

    JsonNode json =
        RecordsRun.of(temp, "schema", "--json", "--limit=2", "--no-binary-as-string", file)
            .fine()
            .json()
            .get(0);
    assertThat(json.get("records").asInt()).isEqualTo(2);
    assertThat(json.get("ddl").asText()).contains("name BINARY").contains("id BIGINT");
    JsonNode x = json.get("features").get(3);
    assertThat(x.get("name").asText()).isEqualTo("x");
    assertThat(x.get("kinds").toString()).isEqualTo("[\"float\"]");
    assertThat(x.get("maxLength").asInt()).isEqualTo(1);
  }

  @Test
  void schemaOfSequences() throws IOException {
    Path file = write(temp.resolve("a.tfrecord"), Compression.NONE, sequenceExample(7));
    assertThat(RecordsRun.of(temp, "schema", "--record-type=SequenceExample", file).fine().out())
        .containsPattern("steps +int64 +2 steps +1\n")
        .contains("steps ARRAY<ARRAY<BIGINT>>");
  }

  @Test
  void schemaNamesTheRecordThatIsNone() throws IOException {
    byte[][] records = {RECORDS[1], {1, 2, 3}};
    Path file = write(temp.resolve("a.tfrecord"), Compression.NONE, records);
    RecordsRun.of(temp, "schema", file)
        .failed(1, "[TFOS-ROW-008]")
        .failed(1, "a.tfrecord at byte " + offset(records, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"schema", "head", "count", "verify"})
  void aPathWithNothingIsOneLine(String command) {
    RecordsRun.of(temp, command, temp.resolve("missing"))
        .failed(1, "[TFOS-FILE-001]")
        .failed(1, "missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"schema", "head", "count", "verify"})
  void anEmptyFolderIsFine(String command) throws IOException {
    Files.createDirectory(temp.resolve("none"));
    RecordsRun.of(temp, command, temp.resolve("none")).fine();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          count                        | Missing required parameter: 'PATH'
          head -n x p                  | Invalid value for option '--records'
          head -n -1 .                 | -1 is below 0
          schema --limit 0 .           | 0 is below 1
          schema --record-type Exmple .| 'Exmple' is none of Example, SequenceExample, ByteArray
          verify --chekc-crc .         | Unknown option: '--chekc-crc'
          count --jsn .                | Did you mean '--json'?
          convert a.csv                | Missing required parameter: 'OUTPUT'
          convert a.csv b              | give --to
          convert a.csv b.json         | neither is tfrecord
          convert a.csv b --to=xml     | Invalid value for option '--to'
          convert a.csv b.tfrecord --partitions 0 | 0 is below 1
          verfy p                      | Did you mean 'verify'?
          """)
  void misuseIsOneLineAndCodeTwo(String line, String text) {
    RecordsRun.of(temp, (Object[]) line.split(" ", -1)).failed(2, text).failed(2, "--help");
  }

  @Test
  void helpSaysWhatThereIsAndTheExitCodes() {
    assertThat(RecordsRun.of(temp, "--help").fine().out())
        .contains("schema", "head", "count", "verify", "convert")
        .contains("Exit codes: 0 fine, 1 damage found or a failure, 2 called wrongly.");
    for (String command : new String[] {"schema", "head", "count", "verify", "convert"}) {
      String help = RecordsRun.of(temp, command, "--help").fine().out();
      assertThat(help).contains("--json");
      assertThat(Stream.of("${", "null").filter(help::contains)).isEmpty();
    }
  }
}
