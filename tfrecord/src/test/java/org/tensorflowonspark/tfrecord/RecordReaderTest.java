/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordReaderTest {
  private static final int BUFFER = 128 << 10;

  @ParameterizedTest
  @EnumSource(Compression.class)
  void recordsOfAllLengthsComeBack(Compression compression) throws IOException {
    List<byte[]> records =
        RecordFixtures.random(
            1,
            0,
            1,
            0,
            100,
            BUFFER - 16,
            BUFFER - 17,
            BUFFER - 15,
            BUFFER,
            3,
            BUFFER + 1,
            0,
            3_000_000,
            7);
    byte[] file = RecordFixtures.of(compression, records);

    assertThat(RecordFixtures.strict(new MemorySource(file), compression).records())
        .isEqualTo(RecordFixtures.texts(records));
    assertThat(
            RecordFixtures.strict(new MemorySource(file, file.length, 1000), compression).records())
        .isEqualTo(RecordFixtures.texts(records));
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aSourceMayGiveOneByteAtATime(Compression compression) throws IOException {
    List<byte[]> records = RecordFixtures.random(2, 5, 0, 300, 17);
    byte[] file = RecordFixtures.of(compression, records);
    MemorySource source = new MemorySource(file, file.length, 1);

    assertThat(RecordFixtures.strict(source, compression).records())
        .isEqualTo(RecordFixtures.texts(records));
    assertThat(source.closed).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aFileOfNoBytesAndOneOfNoRecordsHaveNone(Compression compression) throws IOException {
    assertThat(RecordFixtures.strict(new MemorySource(new byte[0]), compression).records())
        .isEmpty();
    byte[] none = RecordFixtures.of(compression, List.of());
    assertThat(RecordFixtures.strict(new MemorySource(none), compression).records()).isEmpty();
  }

  @Test
  void anyFlippedBitIsFoundAndCostsNoMoreThanItsRecord() throws IOException {
    List<byte[]> records = RecordFixtures.random(3, 20, 0, 33, 5, 40);
    List<String> texts = RecordFixtures.texts(records);
    byte[] file = RecordFixtures.of(Compression.NONE, records);
    List<Long> starts = RecordFixtures.strict(new MemorySource(file), Compression.NONE).positions();
    for (int bit = 0; bit < 8 * file.length; bit++) {
      byte[] bad = file.clone();
      bad[bit / 8] ^= (byte) (1 << (bit % 8));
      int hit = -1;
      for (long start : starts) {
        hit += start <= bit / 8 ? 1 : 0;
      }
      List<String> others = new ArrayList<>(texts);
      others.remove(hit);

      assertThatThrownBy(() -> RecordFixtures.strict(new MemorySource(bad), Compression.NONE))
          .as("bit %d", bit)
          .isInstanceOf(CorruptRecordException.class)
          .hasMessageContaining("memory at byte " + starts.get(hit));
      RecordFixtures.Found found = RecordFixtures.tolerant(new MemorySource(bad), Compression.NONE);
      assertThat(found.records()).as("bit %d", bit).isEqualTo(others);
      assertThat(found.damages()).as("bit %d", bit).hasSize(1);
      assertThat(found.damages().get(0).offset()).isEqualTo(starts.get(hit));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"GZIP", "ZLIB"})
  void aFlippedBitOfACompressedFileNeverGivesAWrongRecord(Compression compression)
      throws IOException {
    List<byte[]> records = RecordFixtures.random(4, 20, 0, 33, 5, 40);
    List<String> texts = RecordFixtures.texts(records);
    byte[] file = RecordFixtures.of(compression, records);
    for (int bit = 0; bit < 8 * file.length; bit++) {
      byte[] bad = file.clone();
      bad[bit / 8] ^= (byte) (1 << (bit % 8));
      RecordFixtures.Found found = RecordFixtures.tolerant(new MemorySource(bad), compression);
      if (found.damages().isEmpty()) {
        // Bits of the header that say nothing of the content: time, system, effort.
        assertThat(bit / 8).as("bit %d", bit).isLessThan(10);
        assertThat(found.records()).isEqualTo(texts);
      } else {
        assertThat(texts).as("bit %d", bit).containsAll(found.records());
        assertThatThrownBy(() -> RecordFixtures.strict(new MemorySource(bad), compression))
            .as("bit %d", bit)
            .isInstanceOf(CorruptRecordException.class)
            .hasMessageContaining("memory at byte");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aFileCutAnywhereIsAnErrorAndItsWholeRecordsCanBeHad(Compression compression)
      throws IOException {
    List<byte[]> records = RecordFixtures.random(5, 20, 0, 33);
    List<String> texts = RecordFixtures.texts(records);
    byte[] file = RecordFixtures.of(compression, records);
    for (int length = 1; length < file.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(file, length);
      RecordFixtures.Found found = RecordFixtures.tolerant(new MemorySource(cut), compression);
      assertThat(found.records())
          .as("cut to %d", length)
          .isEqualTo(texts.subList(0, found.records().size()));
      boolean betweenRecords = compression == Compression.NONE && (length == 36 || length == 52);
      if (betweenRecords) {
        assertThat(found.records()).hasSize(length == 36 ? 1 : 2);
      } else {
        assertThat(found.damages()).as("cut to %d", length).hasSize(1);
        assertThatThrownBy(() -> RecordFixtures.strict(new MemorySource(cut), compression))
            .as("cut to %d", length)
            .isInstanceOf(CorruptRecordException.class)
            .hasMessageContaining("TFOS-RECORD-003");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Integer.MAX_VALUE, 1L << 40, (1 << 30) + 1})
  void aLengthBeyondTheLongestIsRefusedBeforeAnythingIsAllocated(long length) throws IOException {
    byte[] file = java.util.Arrays.copyOf(RecordFixtures.header(length), 100);
    for (Compression compression : Compression.values()) {
      byte[] bytes = compression == Compression.NONE ? file : compress(file, compression);
      long claimed = compression == Compression.NONE ? 1L << 41 : bytes.length;
      try (RecordReader reader =
          RecordReader.open(
              new MemorySource(bytes, claimed, 1 << 20), ReadOptions.of(compression))) {
        assertThatThrownBy(reader::next)
            .isInstanceOf(CorruptRecordException.class)
            .hasMessageContaining("TFOS-RECORD-004")
            .hasMessageContaining(Long.toUnsignedString(length));
        assertThat(reader.buffer().length).isLessThanOrEqualTo(BUFFER);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void memoryGrowsOnlyAsBytesArrive(Compression compression) throws IOException {
    byte[] file = java.util.Arrays.copyOf(RecordFixtures.header(1 << 29), 200_000);
    byte[] bytes = compression == Compression.NONE ? file : compress(file, compression);
    long claimed = compression == Compression.NONE ? 1L << 40 : bytes.length;
    try (RecordReader reader =
        RecordReader.open(new MemorySource(bytes, claimed, 4096), ReadOptions.of(compression))) {
      assertThatThrownBy(reader::next).hasMessageContaining("TFOS-RECORD-003");
      assertThat(reader.buffer().length).isLessThanOrEqualTo(4 * BUFFER);
    }
  }

  @Test
  void aFileThatShrankIsCut() throws IOException {
    List<byte[]> records = RecordFixtures.random(6, 50, 50);
    byte[] file = RecordFixtures.of(Compression.NONE, records);
    for (int length : new int[] {66, 70, 100}) {
      byte[] cut = java.util.Arrays.copyOf(file, length);
      assertThatThrownBy(
              () ->
                  RecordFixtures.strict(new MemorySource(cut, file.length, 1000), Compression.NONE))
          .hasMessageContaining("TFOS-RECORD-003");
    }
  }

  @Test
  void withoutAChecksOfDataOnlyLengthsCount() throws IOException {
    List<byte[]> records = RecordFixtures.random(7, 50, 50);
    byte[] file = RecordFixtures.of(Compression.NONE, records);
    file[20] ^= 1;
    ReadOptions options = ReadOptions.of(Compression.NONE).withCheckCrc(false);
    assertThat(
            RecordFixtures.read(RecordReader.open(new MemorySource(file), options), List.of())
                .records())
        .hasSize(2);
    file[3] ^= 1;
    assertThatThrownBy(
            () ->
                RecordFixtures.read(RecordReader.open(new MemorySource(file), options), List.of()))
        .hasMessageContaining("TFOS-RECORD-001");
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"GZIP", "ZLIB"})
  void whatFollowsCompressedContentIsNoSecret(Compression compression) throws IOException {
    List<byte[]> records = RecordFixtures.random(8, 50);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(RecordFixtures.of(compression, records));
    file.write(7);
    RecordFixtures.Found found =
        RecordFixtures.tolerant(new MemorySource(file.toByteArray()), compression);
    assertThat(found.records()).isEqualTo(RecordFixtures.texts(records));
    assertThat(found.damages())
        .extracting(Damage::error)
        .containsAnyOf(RecordError.CORRUPT_COMPRESSION, RecordError.TRUNCATED);
  }

  @Test
  void gzipMembersFollowEachOther() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    List<byte[]> records = RecordFixtures.random(9, 50, 0, 70_000);
    for (byte[] record : records) {
      file.write(RecordFixtures.of(Compression.GZIP, List.of(record)));
    }
    for (int most : new int[] {1, 1000, 1 << 20}) {
      assertThat(
              RecordFixtures.strict(
                      new MemorySource(file.toByteArray(), file.size(), most), Compression.GZIP)
                  .records())
          .isEqualTo(RecordFixtures.texts(records));
    }
  }

  private static byte[] compress(byte[] plain, Compression compression) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (java.io.OutputStream compressed =
        compression == Compression.GZIP
            ? new java.util.zip.GZIPOutputStream(out)
            : new java.util.zip.DeflaterOutputStream(out)) {
      compressed.write(plain);
    }
    return out.toByteArray();
  }
}
