/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.Compression;

class RecordSplitTest {
  private final Configuration configuration = new Configuration(false);
  private final List<byte[]> records = Frames.records(60, 11);
  @TempDir java.nio.file.Path folder;

  private RecordFiles write(String name, byte[] content) throws IOException {
    Files.write(folder.resolve(name), content);
    return RecordFiles.list(configuration, List.of(folder + "/" + name));
  }

  @ParameterizedTest
  @ValueSource(longs = {700, 1000, 4096, 31_000, 1 << 20})
  void everyRecordIsInExactlyOnePart(long splitBytes) throws IOException {
    RecordFiles files = write("a", Frames.file(records));
    List<byte[]> read = Frames.readAll(configuration, files.splits(splitBytes));
    Frames.assertSame(read, records);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void readsFilesByTheCompressionOfTheirNames(Compression compression) throws IOException {
    RecordFiles files = write("a" + compression.extension(), Frames.file(records, compression));
    Frames.assertSame(Frames.readAll(configuration, files.splits(1L << 40)), records);
  }

  @Test
  void aFileThatGrewOrShrankSinceItWasListedIsAnError() throws IOException {
    RecordSplit split = write("a", Frames.file(records)).splits(1L << 40).get(0);
    FileTime time = Files.getLastModifiedTime(folder.resolve("a"));
    for (int count : new int[] {59, 61}) {
      Files.write(folder.resolve("a"), Frames.file(Frames.records(count, 11)));
      Files.setLastModifiedTime(folder.resolve("a"), time);
      assertChanged(split);
    }
  }

  @Test
  void aFileThatWasReplacedByOneOfTheSameLengthIsAnError() throws IOException {
    RecordSplit split = write("a", Frames.file(records)).splits(1L << 40).get(0);
    Files.setLastModifiedTime(
        folder.resolve("a"), FileTime.fromMillis(split.file().modificationTime() + 1000));
    assertChanged(split);
  }

  private void assertChanged(RecordSplit split) {
    assertThatThrownBy(() -> split.open(configuration, Frames.PLAIN))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-FILE-002] file:" + folder + "/a has changed")
        .hasMessageContaining(split.file().length() + " bytes");
  }

  @Test
  void aFileThatVanishedIsAnErrorThatNamesIt() throws IOException {
    RecordSplit split = write("a", Frames.file(records)).splits(1L << 40).get(0);
    Files.delete(folder.resolve("a"));
    assertThatThrownBy(() -> split.open(configuration, Frames.PLAIN))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-FILE-001] file:" + folder + "/a was listed with");
  }

  @Test
  void aPartOfACompressedFileIsRefused() {
    RecordFile file = new RecordFile("file:/a.gz", 100, 0, Compression.GZIP);
    assertThatThrownBy(() -> new RecordSplit(file, 0, 50))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-FILE-003] file:/a.gz is compressed (GZIP)");
    assertThat(new RecordSplit(file, 0, 100).length()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1,5", "6,5", "0,101"})
  void bordersOutsideTheFileAreRefused(String borders) {
    RecordFile file = new RecordFile("file:/a", 100, 0, Compression.NONE);
    String[] numbers = borders.split(",", 2);
    assertThatThrownBy(
            () -> new RecordSplit(file, Long.parseLong(numbers[0]), Long.parseLong(numbers[1])))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
