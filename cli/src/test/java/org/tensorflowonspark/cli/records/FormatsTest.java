/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How names, sizes and bytes are taken and shown. */
class FormatsTest {
  @ParameterizedTest
  @CsvSource({
    "rows.csv,           CSV",
    "rows.CSV.gz,        CSV",
    "hdfs://a/b.parquet/,PARQUET",
    "data/*.jsonl,       JSON",
    "a.tfrecord,         TFRECORD",
    "a.tfrecords.zlib,   TFRECORD",
    "a.tfrecord.d,       ",
    "rows.gz,            ",
    "rows,               ",
  })
  void namesTellFormats(String name, FileFormat format) {
    assertThat(FileFormat.of(name)).isEqualTo(format);
  }

  @ParameterizedTest
  @CsvSource({
    "0,           0 B",
    "999,         999 B",
    "1000,        1.0 kB",
    "99949,       99.9 kB",
    "99950,       100 kB",
    "999499,      999 kB",
    "999500,      1.0 MB",
    "12345678,    12.3 MB",
    "9223372036854775807, 9.2 EB",
  })
  void sizesHaveThreeDigits(long bytes, String text) {
    assertThat(Sizes.text(bytes)).isEqualTo(text);
  }

  @Test
  void bytesAreTextWhenTheyCanBe() {
    byte[] text = "two\nlines ✓".getBytes(UTF_8);
    assertThat(Bytes.text(text)).isEqualTo("\"two\\nlines ✓\"");
    assertThat(Bytes.json(text)).isEqualTo("two\nlines ✓");
    assertThat(Bytes.text(new byte[0])).isEqualTo("\"\"");
    byte[] control = {'a', 0x1b, '['};
    assertThat(Bytes.text(control))
        .as("nothing that a terminal obeys")
        .isEqualTo("0x611b5b (3 bytes)");
    byte[] cut = {(byte) 0xe2, (byte) 0x9c};
    assertThat(Bytes.json(cut)).isEqualTo(Map.of("base64", "4pw="));
  }

  @Test
  void longBytesAreCutForPeople() {
    assertThat(Bytes.text("🙂".repeat(100).getBytes(UTF_8)))
        .isEqualTo("\"" + "🙂".repeat(60) + "...\" (400 bytes)");
    assertThat(Bytes.text(new byte[2000])).isEqualTo("0x" + "00".repeat(16) + "... (2,000 bytes)");
  }

  @Test
  void tablesAlignCells() {
    assertThat(TextTable.lines(List.of(List.of("a", "bb", "c"), List.of("größe", "", ""))))
        .containsExactly("a      bb  c", "größe");
    assertThat(TextTable.lines(List.of())).isEmpty();
  }
}
