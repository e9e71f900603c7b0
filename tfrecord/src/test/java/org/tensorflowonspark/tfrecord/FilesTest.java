/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Files of this machine, and walks over all of one. */
class FilesTest {
  @TempDir Path dir;

  @Test
  void aFileOfMegabytesIsReadInParts() throws IOException {
    Random random = new Random(1);
    int[] lengths = random.ints(4000, 0, 3000).toArray();
    lengths[2000] = 5_000_000;
    List<byte[]> records = RecordFixtures.random(2, lengths);
    Path path = dir.resolve("a.tfrecord");
    Files.write(path, RecordFixtures.of(Compression.NONE, records));
    long length = Files.size(path);
    List<String> texts = RecordFixtures.texts(records);
    ReadOptions options = ReadOptions.of(Compression.NONE);
    for (int parts : new int[] {1, 2, 3, 11}) {
      List<String> found = new ArrayList<>();
      for (int i = 0; i < parts; i++) {
        found.addAll(
            RecordFixtures.read(
                    RecordReader.open(
                        FileSource.open(path),
                        length * i / parts,
                        length * (i + 1) / parts,
                        options),
                    List.of())
                .records());
      }
      assertThat(found).as("%d parts", parts).isEqualTo(texts);
    }
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Path path = dir.resolve("none");
    assertThatThrownBy(() -> FileSource.open(path))
        .isInstanceOfAny(NoSuchFileException.class, java.io.FileNotFoundException.class)
        .hasMessageContaining(path.toString());
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aWalkCountsRecordsAndDamage(Compression compression) throws IOException {
    List<byte[]> records = RecordFixtures.random(3, 400_000, 400_000, 0, 400_000, 400_000);
    Path path = dir.resolve("a" + compression.extension());
    byte[] file = RecordFixtures.of(compression, records);
    Files.write(path, file);
    List<Long> progress = new ArrayList<>();
    List<Integer> seen = new ArrayList<>();
    assertThat(
            RecordVerifier.verify(
                FileSource.open(path),
                ReadOptions.of(compression),
                damage -> {
                  throw new AssertionError(damage);
                },
                reader -> seen.add(reader.length()),
                progress::add))
        .isEqualTo(new RecordVerifier.Result(5, 1_600_000, 0));
    assertThat(seen).containsExactly(400_000, 400_000, 0, 400_000, 400_000);
    assertThat(progress).isNotEmpty().isSorted();

    Files.write(path, java.util.Arrays.copyOf(file, file.length - 100));
    List<Damage> damages = new ArrayList<>();
    assertThat(
            RecordVerifier.verify(
                FileSource.open(path),
                ReadOptions.of(compression),
                damages::add,
                reader -> {},
                position -> {}))
        .isEqualTo(new RecordVerifier.Result(4, 1_200_000, 1));
    assertThat(damages).extracting(Damage::error).containsExactly(RecordError.TRUNCATED);
  }

  @ParameterizedTest
  @CsvSource({
    "a.tfrecord, NONE",
    "a.tfrecord.gz, GZIP",
    "A.GZ, GZIP",
    "a.gzip, GZIP",
    "a.zlib, ZLIB",
    "part-0.tfrecord.deflate, ZLIB",
    "gz, NONE"
  })
  void theEndOfANameTellsTheCompression(String name, Compression compression) {
    assertThat(Compression.ofFileName(name)).isEqualTo(compression);
  }
}
