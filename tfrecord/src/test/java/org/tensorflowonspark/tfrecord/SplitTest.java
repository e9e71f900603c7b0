/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** However a file is cut into parts, each record is read once. */
class SplitTest {

  @Test
  void everySizeOfPartsGivesEveryRecordOnce() throws IOException {
    checkAllSizes(RecordFixtures.of(Compression.NONE, RecordFixtures.random(1, 30, 5, 0, 0, 44)));
    checkAllSizes(RecordFixtures.of(Compression.NONE, RecordFixtures.random(2, 300)));
    checkAllSizes(RecordFixtures.of(Compression.NONE, RecordFixtures.random(3, 0, 0, 0, 0, 0)));
    checkAllSizes(RecordFixtures.of(Compression.NONE, List.of(new byte[100], new byte[50])));
    checkAllSizes(new byte[0]);
  }

  @Test
  void recordsThatHoldTfRecordFilesAreNotMistaken() throws IOException {
    byte[] inner = RecordFixtures.of(Compression.NONE, RecordFixtures.random(4, 3, 0, 20, 1));
    byte[] twice = RecordFixtures.of(Compression.NONE, List.of(inner, inner));
    byte[] cutInner = Arrays.copyOf(inner, inner.length - 7);
    checkAllSizes(RecordFixtures.of(Compression.NONE, List.of(inner, twice, new byte[9], inner)));
    checkAllSizes(RecordFixtures.of(Compression.NONE, List.of(inner, cutInner, twice)));
  }

  @Test
  void aLargeRecordThatHoldsATfRecordFileIsReadOnceOrRefused() throws IOException {
    int[] lengths = new int[3000];
    Arrays.fill(lengths, 1000);
    byte[] inner = RecordFixtures.of(Compression.NONE, RecordFixtures.random(5, lengths));
    List<byte[]> records = List.of(new byte[10], inner, new byte[20]);
    byte[] file = RecordFixtures.of(Compression.NONE, records);
    int refused = 0;
    for (int parts = 1; parts <= 9; parts++) {
      List<String> found = new ArrayList<>();
      try {
        for (int i = 0; i < parts; i++) {
          found.addAll(
              part(file, (long) file.length * i / parts, (long) file.length * (i + 1) / parts));
        }
        assertThat(found).isEqualTo(RecordFixtures.texts(records));
      } catch (CorruptRecordException e) {
        assertThat(e).hasMessageContaining("TFOS-RECORD-006").hasMessageContaining("splittable");
        refused++;
      }
    }
    assertThat(refused).isBetween(1, 8);
  }

  @Test
  void tolerantPartsGiveWhatTheWholeGives() throws IOException {
    List<byte[]> records = RecordFixtures.random(6, 20, 0, 33, 5, 40, 8);
    byte[] file = RecordFixtures.of(Compression.NONE, records);
    for (int at = 0; at < file.length; at += 3) {
      byte[] bad = file.clone();
      bad[at] ^= 4;
      List<String> whole =
          RecordFixtures.tolerant(new MemorySource(bad), Compression.NONE).records();
      for (int size = 1; size < file.length; size += 5) {
        List<String> found = new ArrayList<>();
        List<Damage> damages = new ArrayList<>();
        for (long start = 0; start < file.length; start += size) {
          RecordFixtures.Found part =
              RecordFixtures.tolerant(new MemorySource(bad), Compression.NONE, start, start + size);
          found.addAll(part.records());
          damages.addAll(part.damages());
        }
        assertThat(found).as("byte %d, parts of %d", at, size).isEqualTo(whole);
        assertThat(damages).as("byte %d, parts of %d", at, size).hasSize(1);
      }
    }
  }

  @Test
  void strictPartsOfACutFileFailInOneOfThem() throws IOException {
    List<byte[]> records = RecordFixtures.random(7, 20, 0, 33, 5);
    byte[] file = RecordFixtures.of(Compression.NONE, records);
    for (int length = file.length - 20; length < file.length; length++) {
      byte[] cut = Arrays.copyOf(file, length);
      for (int size = 1; size < length; size += 7) {
        int failures = 0;
        List<String> found = new ArrayList<>();
        for (long start = 0; start < length; start += size) {
          try {
            found.addAll(part(cut, start, start + size));
          } catch (CorruptRecordException e) {
            failures++;
          }
        }
        assertThat(failures).as("cut to %d, parts of %d", length, size).isEqualTo(1);
        assertThat(RecordFixtures.texts(records)).containsAll(found);
      }
    }
  }

  @Test
  void aPartOfACompressedFileIsRefused() {
    byte[] file = RecordFixtures.of(Compression.GZIP, RecordFixtures.random(8, 20));
    assertThatThrownBy(
            () -> RecordReader.open(new MemorySource(file), 1, 5, ReadOptions.of(Compression.GZIP)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("compressed");
  }

  @Test
  void aPartThatBeginsFarBeforeRecordsInsideARecordReadsNotMuchMoreThanThat() throws IOException {
    int[] lengths = new int[20_000];
    Arrays.fill(lengths, 5);
    byte[] inner = RecordFixtures.of(Compression.NONE, RecordFixtures.random(9, lengths));
    byte[] outer = Arrays.copyOf(new byte[4_000_000], 4_000_000 + inner.length);
    System.arraycopy(inner, 0, outer, 4_000_000, inner.length);
    byte[] file = RecordFixtures.of(Compression.NONE, List.of(outer, new byte[9]));
    MemorySource source = new MemorySource(file);
    assertThat(new Resync(source, file.length, 1 << 30).find(1))
        .isEqualTo(outer.length + Frame.OVERHEAD);
    assertThat(source.given).isLessThan(5L * file.length);
  }

  private static void checkAllSizes(byte[] file) throws IOException {
    List<String> whole = RecordFixtures.strict(new MemorySource(file), Compression.NONE).records();
    for (int size = 1; size <= file.length + 1; size++) {
      List<String> found = new ArrayList<>();
      for (long start = 0; start < file.length; start += size) {
        found.addAll(part(file, start, start + size));
      }
      assertThat(found).as("parts of %d", size).isEqualTo(whole);
    }
  }

  private static List<String> part(byte[] file, long start, long end) throws IOException {
    return RecordFixtures.read(
            RecordReader.open(new MemorySource(file), start, end, ReadOptions.of(Compression.NONE)),
            List.of())
        .records();
  }
}
