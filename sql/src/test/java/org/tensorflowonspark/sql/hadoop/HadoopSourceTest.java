/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HadoopSourceTest {
  private final Configuration configuration = new Configuration(false);
  private final byte[] content = new byte[100_000];
  @TempDir java.nio.file.Path folder;
  private java.nio.file.Path file;

  @BeforeEach
  void writeFile() throws IOException {
    new Random(3).nextBytes(content);
    file = Files.write(folder.resolve("data.tfrecord"), content);
  }

  private static byte[] readAll(HadoopSource source, int chunk) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] target = new byte[chunk + 7];
    while (true) {
      int count = source.read(bytes.size(), target, 7, chunk);
      if (count < 0) {
        return bytes.toByteArray();
      }
      assertThat(count).isPositive();
      bytes.write(target, 7, count);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 4096, 99_999, 100_000, 1 << 20})
  void readsTheWholeFileInPiecesOfAnySize(int chunk) throws IOException {
    try (HadoopSource source = HadoopSource.open(configuration, new Path(file.toUri()), -1)) {
      assertThat(source.length()).isEqualTo(content.length);
      assertThat(readAll(source, chunk)).isEqualTo(content);
      assertThat(source.read(content.length, new byte[1], 0, 1)).isEqualTo(-1);
    }
  }

  @Test
  void readsForwardsWithoutSeekOrPositionedReads() throws IOException {
    Path path = new Path("gs://bucket" + file);
    try (HadoopSource source =
        HadoopSource.open(WatchedFileSystem.configuration("gs"), path, content.length)) {
      WatchedFileSystem.SEEKS.set(0);
      WatchedFileSystem.POSITIONED.set(0);
      assertThat(readAll(source, 1000)).isEqualTo(content);
      assertThat(WatchedFileSystem.SEEKS).hasValue(0);
      byte[] again = new byte[10];
      assertThat(source.read(50_000, again, 0, 10)).isEqualTo(10);
      assertThat(again).isEqualTo(Arrays.copyOfRange(content, 50_000, 50_010));
      assertThat(WatchedFileSystem.SEEKS).hasValue(1);
      assertThat(WatchedFileSystem.POSITIONED).hasValue(0);
    }
  }

  @Test
  void namesTheFileWithItsScheme() throws IOException {
    try (HadoopSource source = HadoopSource.open(configuration, new Path(file.toString()), -1)) {
      assertThat(source.name()).isEqualTo("file:" + file);
    }
  }

  @Test
  void readsAGrowingFileAsItWasWhenOpened() throws IOException {
    try (HadoopSource source = HadoopSource.open(configuration, new Path(file.toUri()), -1)) {
      Files.write(file, new byte[5000], StandardOpenOption.APPEND);
      assertThat(readAll(source, 3000)).isEqualTo(content);
    }
  }

  @Test
  void aMissingFileIsNamed() {
    Path missing = new Path(folder.resolve("missing").toUri());
    assertThatThrownBy(() -> HadoopSource.open(configuration, missing, -1))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining(folder + "/missing");
    assertThatThrownBy(() -> HadoopSource.open(configuration, missing, 10))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining(folder + "/missing");
  }

  @Test
  void aFileThatDoesNotMatchHadoopsChecksumsIsAnErrorThatNamesIt() throws IOException {
    Path path = new Path(folder.resolve("checked.tfrecord").toUri());
    Frames.write(configuration, path, content);
    assertThat(folder.resolve(".checked.tfrecord.crc")).exists();
    try (HadoopSource source = HadoopSource.open(configuration, path, -1)) {
      assertThat(readAll(source, 5000)).isEqualTo(content);
    }
    content[70_000] ^= 1;
    Files.write(folder.resolve("checked.tfrecord"), content);
    try (HadoopSource source = HadoopSource.open(configuration, path, -1)) {
      assertThatThrownBy(() -> readAll(source, 5000))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("file:" + folder + "/checked.tfrecord at byte ")
          .hasCauseInstanceOf(ChecksumException.class);
    }
  }
}
