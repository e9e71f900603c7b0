/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a reader that passes over damage still finds, and never takes for a record. */
class DamageTest {

  @Test
  void recordsInsideARecordWhoseHeaderIsDamagedAreNotGivenOut() throws IOException {
    byte[] inner = plain(RecordFixtures.random(1, 3, 0, 20, 1));
    List<byte[]> records = List.of(new byte[5], inner, new byte[9], inner);
    byte[] file = plain(records);
    for (int damaged = 0; damaged < records.size(); damaged++) {
      byte[] bad = file.clone();
      bad[(int) offsetOf(records, damaged)] ^= 1;
      List<byte[]> others = new ArrayList<>(records);
      others.remove(damaged);
      for (int size : new int[] {1, 7, 40, bad.length}) {
        RecordFixtures.Found found = tolerant(bad, size);
        assertThat(found.records())
            .as("record %d, parts of %d", damaged, size)
            .isEqualTo(RecordFixtures.texts(others));
        assertThat(found.damages()).hasSize(1);
      }
    }
  }

  @Test
  void notEvenWhenTheyAreManyMegabytes() throws IOException {
    int[] lengths = new int[3000];
    Arrays.fill(lengths, 1000);
    List<byte[]> records =
        List.of(new byte[5], plain(RecordFixtures.random(2, lengths)), new byte[9], new byte[7]);
    for (int last = 2; last <= 4; last++) {
      List<byte[]> written = records.subList(0, last);
      byte[] bad = plain(written);
      bad[(int) offsetOf(written, 1) + 9] ^= 4;
      List<byte[]> others = new ArrayList<>(written);
      others.remove(1);
      RecordFixtures.Found found = tolerant(bad, bad.length);
      assertThat(found.records()).isEqualTo(RecordFixtures.texts(others));
      assertThat(found.damages())
          .containsExactly(
              new Damage(
                  RecordError.CORRUPT_LENGTH,
                  "memory",
                  offsetOf(written, 1),
                  written.get(1).length + Frame.OVERHEAD,
                  found.damages().get(0).reason()));
    }
  }

  @Test
  void everyDamagedHeaderIsToldOfAndRecordsBetweenThemAreKept() throws IOException {
    List<byte[]> records = RecordFixtures.random(3, 20, 0, 33, 5, 40, 8, 1);
    byte[] bad = plain(records);
    bad[(int) offsetOf(records, 1)] ^= 1;
    bad[(int) offsetOf(records, 3) + 11] ^= 1;
    bad[(int) offsetOf(records, 5) + 7] ^= 1;
    for (int size : new int[] {1, 30, bad.length}) {
      RecordFixtures.Found found = tolerant(bad, size);
      assertThat(found.records())
          .isEqualTo(
              RecordFixtures.texts(
                  List.of(records.get(0), records.get(2), records.get(4), records.get(6))));
      assertThat(found.damages())
          .extracting(Damage::offset)
          .containsExactly(offsetOf(records, 1), offsetOf(records, 3), offsetOf(records, 5));
    }
  }

  @Test
  void aStretchOfRubbishIsPassedOver() throws IOException {
    List<byte[]> records = RecordFixtures.random(4, 20, 100, 100, 33, 5, 40);
    byte[] bad = plain(records);
    Arrays.fill(bad, (int) offsetOf(records, 1) - 2, (int) offsetOf(records, 2) + 20, (byte) 0);
    RecordFixtures.Found found = tolerant(bad, bad.length);
    assertThat(found.records()).isEqualTo(RecordFixtures.texts(records.subList(3, 6)));
    assertThat(found.damages())
        .extracting(Damage::error)
        .containsExactly(RecordError.CORRUPT_DATA, RecordError.CORRUPT_LENGTH);
  }

  @Test
  void aLengthThatNoFileHasIsPassedOver() throws IOException {
    List<byte[]> records = RecordFixtures.random(5, 20, 50, 30);
    byte[] bad = plain(records);
    System.arraycopy(
        RecordFixtures.header(1L << 40), 0, bad, (int) offsetOf(records, 1), Frame.HEADER);
    for (int size : new int[] {1, 9, bad.length}) {
      RecordFixtures.Found found = tolerant(bad, size);
      assertThat(found.records())
          .isEqualTo(RecordFixtures.texts(List.of(records.get(0), records.get(2))));
      assertThat(found.damages())
          .extracting(Damage::error, Damage::offset, Damage::length)
          .containsExactly(tuple(RecordError.RECORD_TOO_LONG, 36L, 66L));
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aRecordBeyondTheLongestIsPassedOver(Compression compression) throws IOException {
    List<byte[]> records = RecordFixtures.random(6, 20, 500_000, 30);
    byte[] file = RecordFixtures.of(compression, records);
    List<Damage> damages = new ArrayList<>();
    ReadOptions options =
        ReadOptions.of(compression).withMaxRecordLength(1000).tolerating(damages::add);
    assertThat(
            RecordFixtures.read(RecordReader.open(new MemorySource(file), options), damages)
                .records())
        .isEqualTo(RecordFixtures.texts(List.of(records.get(0), records.get(2))));
    assertThat(damages).extracting(Damage::length).containsExactly(500_016L);
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"GZIP", "ZLIB"})
  void behindADamagedHeaderInSoundCompressionTheRestIsToldOf(Compression compression)
      throws IOException {
    List<byte[]> records = RecordFixtures.random(7, 20, 300_000, 30);
    byte[] content = plain(records);
    content[40] ^= 1;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream compressed =
        compression == Compression.GZIP
            ? new GZIPOutputStream(out)
            : new DeflaterOutputStream(out)) {
      compressed.write(content);
    }
    RecordFixtures.Found found =
        RecordFixtures.tolerant(new MemorySource(out.toByteArray()), compression);
    assertThat(found.records()).isEqualTo(RecordFixtures.texts(records.subList(0, 1)));
    assertThat(found.damages())
        .extracting(Damage::offset, Damage::length)
        .containsExactly(tuple(36L, content.length - 36L));
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"GZIP", "ZLIB"})
  void recordsBeforeDamageOfTheCompressionAreKept(Compression compression) throws IOException {
    List<byte[]> records = RecordFixtures.random(8, 9000, 9000, 9000, 9000);
    byte[] bad = RecordFixtures.of(compression, records);
    // Random bytes are stored as they are, with the lengths of blocks between: these do not fit.
    Arrays.fill(bad, bad.length - 4000, bad.length, (byte) 0xff);
    byte[] cut = Arrays.copyOf(RecordFixtures.of(compression, records), bad.length - 4000);
    for (byte[] file : List.of(bad, cut)) {
      RecordFixtures.Found found = RecordFixtures.tolerant(new MemorySource(file), compression);
      assertThat(found.records()).isEqualTo(RecordFixtures.texts(records.subList(0, 3)));
      assertThat(found.damages()).isNotEmpty();
    }
  }

  @Test
  void whoGoesOnAfterAnErrorIsToldAgain() throws IOException {
    byte[] bad = plain(RecordFixtures.random(9, 20, 20));
    bad[0] ^= 1;
    try (RecordReader reader =
        RecordReader.open(new MemorySource(bad), ReadOptions.of(Compression.NONE))) {
      assertThatThrownBy(reader::next)
          .hasMessageContaining("TFOS-RECORD-001")
          .hasMessageContaining("compression");
      assertThatThrownBy(reader::next).hasMessageContaining("TFOS-RECORD-001");
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aSourceThatFailsIsNoDamage(Compression compression) throws IOException {
    List<byte[]> records = RecordFixtures.random(10, 400, 400, 400_000, 400);
    byte[] file = RecordFixtures.of(compression, records);
    FailingSource source = new FailingSource(new MemorySource(file));
    List<Damage> damages = new ArrayList<>();
    RecordReader reader =
        RecordReader.open(source, ReadOptions.of(compression).tolerating(damages::add));
    assertThat(reader.next()).isTrue();
    source.fails = true;
    assertThat(reader.next()).isTrue();
    assertThatThrownBy(reader::next).isInstanceOf(IOException.class).hasMessage("no such block");
    source.fails = false;
    assertThat(RecordFixtures.read(reader, damages).records())
        .isEqualTo(RecordFixtures.texts(records.subList(2, 4)));
    assertThat(damages).isEmpty();
    assertThat(source.closed).isTrue();
  }

  private static byte[] plain(List<byte[]> records) {
    return RecordFixtures.of(Compression.NONE, records);
  }

  private static long offsetOf(List<byte[]> records, int index) {
    return records.subList(0, index).stream().mapToLong(r -> r.length + Frame.OVERHEAD).sum();
  }

  /** All parts of a file, as one. */
  private static RecordFixtures.Found tolerant(byte[] file, int size) throws IOException {
    RecordFixtures.Found all =
        new RecordFixtures.Found(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (long start = 0; start < file.length; start += size) {
      RecordFixtures.Found part =
          RecordFixtures.tolerant(new MemorySource(file), Compression.NONE, start, start + size);
      all.records().addAll(part.records());
      all.positions().addAll(part.positions());
      all.damages().addAll(part.damages());
    }
    return all;
  }

  private static final class FailingSource implements RecordSource {
    private final RecordSource source;
    boolean fails;
    boolean closed;

    FailingSource(RecordSource source) {
      this.source = source;
    }

    @Override
    public String name() {
      return source.name();
    }

    @Override
    public long length() throws IOException {
      return source.length();
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) throws IOException {
      if (fails) {
        throw new IOException("no such block");
      }
      return source.read(position, target, offset, length);
    }

    @Override
    public void close() throws IOException {
      closed = true;
      source.close();
    }
  }
}
