/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gzip as RFC 1952 has it, beyond what our own writer makes. */
class GzipFormatTest {
  private static final List<byte[]> RECORDS = RecordFixtures.random(1, 70, 0, 5);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 4, 8, 16, 2 | 4 | 8 | 16, 31})
  void everyPartOfAHeaderIsPassedOver(int flags) throws IOException {
    byte[] file = withHeader(flags, false);
    for (int most : new int[] {1, 1000}) {
      assertThat(
              RecordFixtures.strict(new MemorySource(file, file.length, most), Compression.GZIP)
                  .records())
          .isEqualTo(RecordFixtures.texts(RECORDS));
    }
  }

  @Test
  void aHeaderThatDoesNotMatchItsChecksumIsRefused() throws IOException {
    refuse(withHeader(2 | 8, true), "checksum");
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 64, 128})
  void unknownFlagsAreRefused(int flag) throws IOException {
    refuse(withHeader(flag, false), "unknown");
  }

  @Test
  void aFileThatIsNotGzipSaysSo() {
    refuse(RecordFixtures.of(Compression.NONE, RECORDS), "no gzip file");
  }

  @Test
  void aCutMemberBehindAWholeOneIsAnError() throws IOException {
    byte[] member = RecordFixtures.of(Compression.GZIP, RECORDS);
    for (int extra = 1; extra < member.length; extra++) {
      byte[] file = Arrays.copyOf(member, member.length + extra);
      System.arraycopy(member, 0, file, member.length, extra);
      RecordFixtures.Found found =
          RecordFixtures.tolerant(new MemorySource(file), Compression.GZIP);
      assertThat(found.damages()).as("%d bytes", extra).hasSize(1);
      assertThat(found.records()).as("%d bytes", extra).startsWith(texts());
    }
  }

  @Test
  void zerosBehindTheEndAreAnError() {
    byte[] member = RecordFixtures.of(Compression.GZIP, RECORDS);
    refuse(Arrays.copyOf(member, member.length + 100), "no gzip");
  }

  private static String[] texts() {
    return RecordFixtures.texts(RECORDS).toArray(String[]::new);
  }

  private static void refuse(byte[] file, String words) {
    assertThatThrownBy(() -> RecordFixtures.strict(new MemorySource(file), Compression.GZIP))
        .isInstanceOf(CorruptRecordException.class)
        .hasMessageContaining("TFOS-RECORD-005")
        .hasMessageContaining(words);
  }

  /** Our file behind another header. */
  private static byte[] withHeader(int flags, boolean wrongChecksum) throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    header.write(new byte[] {0x1f, (byte) 0x8b, 8, (byte) flags, 1, 2, 3, 4, 0, 3});
    if ((flags & 4) != 0) {
      header.write(new byte[] {4, 1});
      header.write(new byte[4 + 256]);
    }
    if ((flags & 8) != 0) {
      header.write("name\0".getBytes(StandardCharsets.ISO_8859_1));
    }
    if ((flags & 16) != 0) {
      header.write("comment\0".getBytes(StandardCharsets.ISO_8859_1));
    }
    if ((flags & 2) != 0) {
      CRC32 crc = new CRC32();
      crc.update(header.toByteArray());
      int check = (int) crc.getValue() ^ (wrongChecksum ? 1 : 0);
      header.write(new byte[] {(byte) check, (byte) (check >> 8)});
    }
    byte[] ours = RecordFixtures.of(Compression.GZIP, RECORDS);
    header.write(ours, 10, ours.length - 10);
    return header.toByteArray();
  }
}
