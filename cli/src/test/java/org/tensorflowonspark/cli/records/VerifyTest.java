/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.tensorflowonspark.cli.records.RecordFixture.FRAME;
import static org.tensorflowonspark.cli.records.RecordFixture.HEADER;
import static org.tensorflowonspark.cli.records.RecordFixture.cut;
import static org.tensorflowonspark.cli.records.RecordFixture.damage;
import static org.tensorflowonspark.cli.records.RecordFixture.examples;
import static org.tensorflowonspark.cli.records.RecordFixture.offset;
import static org.tensorflowonspark.cli.records.RecordFixture.sequenceExample;
import static org.tensorflowonspark.cli.records.RecordFixture.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.tfrecord.Compression;

class VerifyTest {
  private static final byte[][] RECORDS = examples(20);

  @TempDir Path temp;

  @Test
  void soundFilesAreFine() throws IOException {
    write(temp.resolve("data/a.tfrecord"), Compression.NONE, RECORDS);
    write(temp.resolve("data/b.tfrecord.gz"), Compression.GZIP, RECORDS);
    write(temp.resolve("data/c.tfrecord.zlib"), Compression.ZLIB, RECORDS);
    Files.createFile(temp.resolve("data/empty.tfrecord"));
    RecordsRun run = RecordsRun.of(temp, "verify", temp.resolve("data")).fine();
    assertThat(run.out()).startsWith("4 files, 60 records, ").endsWith(": no damage\n");

    JsonNode summary =
        RecordsRun.of(temp, "verify", "--json", temp.resolve("data")).fine().json().get(0);
    assertThat(summary.get("records").asInt()).isEqualTo(60);
    assertThat(summary.get("damaged").asInt()).isZero();
  }

  @Test
  void everyDamagedPlaceIsNamed() throws IOException {
    Path one = write(temp.resolve("data/a.tfrecord"), Compression.NONE, RECORDS);
    write(temp.resolve("data/b.tfrecord"), Compression.NONE, RECORDS);
    Path three = write(temp.resolve("data/c.tfrecord"), Compression.NONE, RECORDS);
    damage(one, offset(RECORDS, 3) + HEADER + 1); // data
    damage(one, offset(RECORDS, 7) + 9); // the checksum of a length
    damage(one, offset(RECORDS, 12) + HEADER + RECORDS[12].length); // the checksum of data
    cut(three, offset(RECORDS, 20) - 5);

    RecordsRun run = RecordsRun.of(temp, "verify", "--json", temp.resolve("data"));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).isEmpty();
    List<JsonNode> lines = run.json();
    assertThat(lines).hasSize(5);
    assertFinding(lines.get(0), one, 3, "TFOS-RECORD-002");
    assertFinding(lines.get(1), one, 7, "TFOS-RECORD-001");
    assertFinding(lines.get(2), one, 12, "TFOS-RECORD-002");
    assertThat(lines.get(3).get("file").asText()).endsWith("/c.tfrecord");
    assertThat(lines.get(3).get("offset").asInt()).isEqualTo(offset(RECORDS, 19));
    assertThat(lines.get(3).get("length").asInt()).isEqualTo(RECORDS[19].length + FRAME - 5);
    assertThat(lines.get(3).get("code").asText()).isEqualTo("TFOS-RECORD-003");
    JsonNode summary = lines.get(4);
    assertThat(summary.get("records").asInt()).isEqualTo(56);
    assertThat(summary.get("damaged").asInt()).isEqualTo(4);
    int lost = 4 * FRAME - 5;
    for (int i : new int[] {3, 7, 12, 19}) {
      lost += RECORDS[i].length;
    }
    assertThat(summary.get("lost").asInt()).isEqualTo(lost);
  }

  private static void assertFinding(JsonNode line, Path file, int record, String code) {
    assertThat(line.get("file").asText()).endsWith(file.toString());
    assertThat(line.get("offset").asInt()).isEqualTo(offset(RECORDS, record));
    assertThat(line.get("length").asInt()).isEqualTo(RECORDS[record].length + FRAME);
    assertThat(line.get("code").asText()).isEqualTo(code);
    assertThat(line.get("reason").asText()).isNotEmpty();
  }

  @Test
  void peopleGetALineForEachPlace() throws IOException {
    Path file = write(temp.resolve("a.tfrecord"), Compression.NONE, RECORDS);
    damage(file, offset(RECORDS, 3) + HEADER);
    RecordsRun run = RecordsRun.of(temp, "verify", file);
    assertThat(run.code()).isEqualTo(1);
    int length = RECORDS[3].length + FRAME;
    assertThat(run.out().lines())
        .hasSize(2)
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("a.tfrecord at byte " + offset(RECORDS, 3) + ", " + length)
                    .contains("[TFOS-RECORD-002]"))
        .last()
        .asString()
        .startsWith("1 file, 19 records, ")
        .endsWith("1 damaged place, " + length + " bytes");
  }

  @Test
  void cutCompressedFileIsDamaged() throws IOException {
    Path file = write(temp.resolve("a.tfrecord.gz"), Compression.GZIP, RECORDS);
    cut(file, (int) Files.size(file) - 20);
    RecordsRun run = RecordsRun.of(temp, "verify", "--json", file);
    assertThat(run.code()).isEqualTo(1);
    JsonNode finding = run.json().get(0);
    assertThat(finding.get("code").asText()).isEqualTo("TFOS-RECORD-003");
    int read = run.json().get(1).get("records").asInt();
    assertThat(finding.get("offset").asInt()).isEqualTo(offset(RECORDS, read));
  }

  @Test
  void flippedBitInACompressedFileIsDamage() throws IOException {
    Path file = write(temp.resolve("a.tfrecord.gz"), Compression.GZIP, RECORDS);
    damage(file, (int) Files.size(file) - 8); // the checksum of the whole content
    RecordsRun run = RecordsRun.of(temp, "verify", "--json", file);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.json().get(0).get("code").asText()).isEqualTo("TFOS-RECORD-005");
    assertThat(run.json().get(1).get("records").asInt()).isEqualTo(20);
  }

  @Test
  void recordsAreParsedWhenTheirTypeIsTold() throws IOException {
    byte[][] records = {RECORDS[1], "no example".getBytes(UTF_8), RECORDS[2]};
    Path file = write(temp.resolve("a.tfrecord"), Compression.NONE, records);
    RecordsRun.of(temp, "verify", file).fine();

    RecordsRun run = RecordsRun.of(temp, "verify", "--json", "--record-type", "example", file);
    assertThat(run.code()).isEqualTo(1);
    JsonNode finding = run.json().get(0);
    assertThat(finding.get("offset").asInt()).isEqualTo(offset(records, 1));
    assertThat(finding.get("length").asInt()).isEqualTo(10 + FRAME);
    assertThat(finding.get("code").asText()).isEqualTo("TFOS-RECORD-007");

    Path sequences =
        write(temp.resolve("s.tfrecord"), Compression.NONE, sequenceExample(1), records[1]);
    run = RecordsRun.of(temp, "verify", "--record-type", "SequenceExample", sequences);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).contains("1 damaged place").contains("2 records");
  }

  @Test
  void aDirectoryWithNothingInItIsFine() throws IOException {
    Files.createDirectory(temp.resolve("none"));
    assertThat(RecordsRun.of(temp, "verify", temp.resolve("none")).fine().out())
        .isEqualTo("0 files, 0 records, 0 B: no damage\n");
  }
}
