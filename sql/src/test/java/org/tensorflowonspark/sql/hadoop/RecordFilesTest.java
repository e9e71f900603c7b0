/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.Compression;

class RecordFilesTest {
  private final Configuration configuration = new Configuration(false);
  @TempDir java.nio.file.Path folder;

  private void make(String... names) throws IOException {
    for (String name : names) {
      java.nio.file.Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, new byte[10]);
    }
  }

  /** Names below the folder of what the paths, also below the folder, lead to. */
  private List<String> list(String... paths) throws IOException {
    List<String> full = Stream.of(paths).map(p -> folder + "/" + p).toList();
    return RecordFiles.list(configuration, full).files().stream()
        .map(f -> f.path().substring(("file:" + folder + "/").length()))
        .toList();
  }

  @Test
  void listsDirectoriesWithTheirSubdirectoriesInOrderOfPaths() throws IOException {
    make("d/b.tfrecord", "d/a.tfrecord", "d/day=2/x", "d/day=1/x", "d/day=1/hour=3/y", "e/z");
    assertThat(list("d"))
        .containsExactly(
            "d/a.tfrecord", "d/b.tfrecord", "d/day=1/hour=3/y", "d/day=1/x", "d/day=2/x");
  }

  @Test
  void leavesOutHiddenNamesButNotPartitionsWhoseColumnBeginsWithAnUnderscore() throws IOException {
    make(
        "d/_SUCCESS",
        "d/.a.crc",
        "d/a",
        "d/b._COPYING_",
        "d/_temporary/0/task/part-0",
        "d/.staging/part-1",
        "d/_day=1/part-2",
        "d/part-col=_x");
    assertThat(list("d")).containsExactly("d/_day=1/part-2", "d/a", "d/part-col=_x");
    assertThat(list("d/*")).containsExactly("d/_day=1/part-2", "d/a", "d/part-col=_x");
  }

  @Test
  void takesANameThatIsWrittenOutAlsoWhenItIsHidden() throws IOException {
    make("_raw/.part-0", "_raw/part-1");
    assertThat(list("_raw")).containsExactly("_raw/part-1");
    assertThat(list("_raw/.part-0")).containsExactly("_raw/.part-0");
  }

  @Test
  void expandsPatternsAndTakesAFileWhoseNameOnlyLooksLikeOne() throws IOException {
    make("d1/a", "d2/a", "d2/b", "d3/a", "x/a[1]");
    assertThat(list("d{1,2}/a")).containsExactly("d1/a", "d2/a");
    assertThat(list("d[2-3]")).containsExactly("d2/a", "d2/b", "d3/a");
    assertThat(list("x/a[1]")).containsExactly("x/a[1]");
  }

  @Test
  void listsEachFileOnceHoweverManyPathsLeadToIt() throws IOException {
    make("d/a", "d/b");
    assertThat(list("d/b", "d", "d/*", "d/a")).containsExactly("d/a", "d/b");
  }

  @Test
  void namesMayHoldSpacesPercentSignsAndLettersOfAnyLanguage() throws IOException {
    make("d e/a b", "d e/100%25", "d e/größe", "d e/数据", "d e/a:b");
    assertThat(list("d e"))
        .containsExactly("d e/100%25", "d e/a b", "d e/a:b", "d e/größe", "d e/数据");
    assertThat(list("d e/数据", "d e/100%25")).containsExactly("d e/100%25", "d e/数据");
  }

  @Test
  void anEmptyDirectoryIsAnEmptyList() throws IOException {
    Files.createDirectories(folder.resolve("empty/deeper"));
    assertThat(list("empty")).isEmpty();
    assertThat(RecordFiles.list(configuration, List.of()).files()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "missing/*.tfrecord", "d/*.gz", "d/{a,b}"})
  void aPathAtWhichNothingIsIsAnErrorThatNamesIt(String path) throws IOException {
    make("d/c");
    assertThatThrownBy(() -> list("d", path))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-FILE-001] There is nothing at '" + folder + "/" + path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void anEmptyPathIsAnError(String path) {
    assertThatThrownBy(() -> RecordFiles.list(configuration, List.of(path)))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-FILE-001]");
  }

  @Test
  void aRelativePathIsBelowHadoopsWorkingDirectory() throws IOException {
    make("d/a");
    configuration.set("fs.defaultFS", "gs://bucket/");
    configuration.set("fs.gs.impl", WatchedFileSystem.class.getName());
    configuration.setBoolean("fs.gs.impl.disable.cache", true);
    java.nio.file.Path working = java.nio.file.Path.of("").toAbsolutePath();
    String relative = working.relativize(folder) + "/d";
    assertThat(RecordFiles.list(configuration, List.of(relative)).files())
        .extracting(RecordFile::path)
        .singleElement()
        .asString()
        .startsWith("gs://bucket/")
        .endsWith("/d/a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gs", "abfss", "abfs", "wasbs", "s3a", "viewfs2"})
  void anySchemeThatHadoopKnowsIsPassedOn(String scheme) throws IOException {
    make("d/day=1/a", "d/b.gz");
    String root = scheme + "://container@account.example" + folder;
    Configuration known = WatchedFileSystem.configuration(scheme);
    RecordFiles files = RecordFiles.list(known, List.of(root + "/d/*"));
    assertThat(files.files())
        .extracting(RecordFile::path)
        .containsExactly(root + "/d/b.gz", root + "/d/day=1/a");
    assertThat(files.files().get(0).compression()).isEqualTo(Compression.GZIP);
  }

  @Test
  void anUnknownSchemeIsHadoopsOwnError() {
    assertThatThrownBy(() -> RecordFiles.list(configuration, List.of("nowhere://a/b")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nowhere");
  }

  @ParameterizedTest
  @CsvSource({
    "a.tfrecord,NONE",
    "a,NONE",
    "a.tfrecord.gz,GZIP",
    "a.GZ,GZIP",
    "a.gzip,GZIP",
    "a.zlib,ZLIB",
    "a.tfrecord.deflate,ZLIB",
    "a.gz.tfrecord,NONE"
  })
  void theEndOfTheNameTellsTheCompression(String name, Compression expected) throws IOException {
    make(name);
    assertThat(RecordFiles.list(configuration, List.of(folder.toString())).files())
        .extracting(RecordFile::compression)
        .containsExactly(expected);
  }

  @Test
  void aFileOfACodecThatTensorFlowLacksIsAnError() throws IOException {
    make("d/a.snappy");
    assertThatThrownBy(() -> list("d"))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-FILE-005]")
        .hasMessageContaining("d/a.snappy");
  }

  @Test
  void keepsWhatTheListingSays() throws IOException {
    make("d/a", "d/b");
    Files.setLastModifiedTime(
        folder.resolve("d/a"), java.nio.file.attribute.FileTime.fromMillis(1_500_000_000_123L));
    RecordFiles files = RecordFiles.list(configuration, List.of(folder + "/d"));
    assertThat(files.bytes()).isEqualTo(20);
    assertThat(files.files().get(0))
        .isEqualTo(
            new RecordFile("file:" + folder + "/d/a", 10, 1_500_000_000_123L, Compression.NONE));
  }

  @ParameterizedTest
  @CsvSource({"10,1", "10,3", "10,4", "10,9", "10,10", "10,11", "1,1", "1000000,7"})
  void partsFollowEachOtherWithoutGapAndAreNoLongerThanAsked(long length, long splitBytes) {
    RecordFile file = new RecordFile("file:/a", length, 0, Compression.NONE);
    List<RecordSplit> splits = new RecordFiles(List.of(file)).splits(splitBytes);
    long end = 0;
    for (RecordSplit split : splits) {
      assertThat(split.start()).isEqualTo(end);
      assertThat(split.length()).isBetween(1L, splitBytes);
      end = split.end();
    }
    assertThat(end).isEqualTo(length);
    assertThat(splits).hasSizeLessThanOrEqualTo((int) ((length + splitBytes - 1) / splitBytes));
  }

  @Test
  void compressedFilesStayWholeAndEmptyOnesHaveNoPart() {
    RecordFile gzip = new RecordFile("file:/a.gz", 1000, 0, Compression.GZIP);
    RecordFile empty = new RecordFile("file:/b", 0, 0, Compression.NONE);
    RecordFile emptyGzip = new RecordFile("file:/c.gz", 0, 0, Compression.GZIP);
    RecordFile huge = new RecordFile("file:/d", Long.MAX_VALUE / 2, 0, Compression.NONE);
    assertThat(new RecordFiles(List.of(gzip, empty, emptyGzip)).splits(10))
        .containsExactly(new RecordSplit(gzip, 0, 1000));
    assertThat(new RecordFiles(List.of(huge)).splits(Long.MAX_VALUE))
        .containsExactly(new RecordSplit(huge, 0, huge.length()));
  }
}
