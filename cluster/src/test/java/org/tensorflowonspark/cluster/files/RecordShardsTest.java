/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.sql.hadoop.RecordFile;
import org.tensorflowonspark.sql.hadoop.RecordFiles;
import org.tensorflowonspark.sql.hadoop.RecordSplit;
import org.tensorflowonspark.tfrecord.Compression;

class RecordShardsTest {
  private static final long PART = 1000;

  private static RecordFiles files(long... lengths) {
    List<RecordFile> files = new ArrayList<>();
    for (long length : lengths) {
      boolean gzip = length % 3 == 1;
      files.add(
          new RecordFile(
              "file:/data/part-" + files.size() + (gzip ? ".gz" : ""),
              length,
              7,
              gzip ? Compression.GZIP : Compression.NONE));
    }
    return new RecordFiles(files);
  }

  private static List<RecordSplit> all(RecordShards shards, int nodes, int epoch) {
    List<RecordSplit> union = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      union.addAll(epoch < 0 ? shards.inOrder(node) : shards.shuffled(node, 11, epoch));
    }
    return union;
  }

  @Test
  void everyPartIsWithExactlyOneNodeWhateverTheFiles() {
    Random random = new Random(5);
    for (int run = 0; run < 200; run++) {
      long[] lengths = random.longs(random.nextInt(12), 0, 9000).toArray();
      int nodes = 1 + random.nextInt(9);
      RecordFiles files = files(lengths);
      RecordShards shards = RecordShards.of(files, nodes, PART);
      for (int epoch = -1; epoch < 3; epoch++) {
        assertThat(all(shards, nodes, epoch))
            .as("run %d, epoch %d", run, epoch)
            .containsExactlyInAnyOrderElementsOf(files.splits(PART));
      }
    }
  }

  @Test
  void nodesGetEquallyManyBytesAsFarAsPartsAllow() {
    RecordFiles files = files(900_000, 3000, 60_000, 120_000);
    RecordShards shards = RecordShards.of(files, 4, PART);
    for (int epoch = 0; epoch < 5; epoch++) {
      for (int node = 0; node < 4; node++) {
        long bytes = shards.shuffled(node, 3, epoch).stream().mapToLong(RecordSplit::length).sum();
        assertThat(bytes).isBetween(files.bytes() / 4 - PART, files.bytes() / 4 + PART);
      }
    }
  }

  @Test
  void theOrderDependsOnSeedAndEpochAlone() {
    RecordShards shards = RecordShards.of(files(90_000, 30_000), 2, PART);
    assertThat(shards.shuffled(1, 3, 2)).isEqualTo(shards.shuffled(1, 3, 2));
    assertThat(shards.shuffled(1, 3, 2)).isNotEqualTo(shards.shuffled(1, 3, 1));
    assertThat(shards.shuffled(1, 3, 2)).isNotEqualTo(shards.shuffled(1, 4, 2));
    assertThat(shards.inOrder(0)).isSortedAccordingTo(RecordShardsTest::byPlace);
  }

  private static int byPlace(RecordSplit a, RecordSplit b) {
    int byPath = a.file().path().compareTo(b.file().path());
    return byPath != 0 ? byPath : Long.compare(a.start(), b.start());
  }

  @Test
  void smallDataSetsAreNotCutToPieces() {
    assertThat(all(RecordShards.of(files(900), 8), 8, 0)).hasSize(1);
    assertThat(all(RecordShards.of(files(), 8), 8, 0)).isEmpty();
  }

  @Test
  void listingsThatDifferHaveOtherFingerprints() {
    long print = RecordShards.fingerprint(files(900, 60));
    assertThat(RecordShards.fingerprint(files(900, 60))).isEqualTo(print);
    assertThat(RecordShards.fingerprint(files(900, 63))).isNotEqualTo(print);
    assertThat(RecordShards.fingerprint(files(900))).isNotEqualTo(print);
  }

  @Test
  void samplesOfOneSeedDivideTheRecords() {
    TFRecordInput all = TFRecordInput.of("x");
    TFRecordInput some = all.sample(0, 0.2, 9);
    TFRecordInput rest = all.sample(0.2, 1, 9);
    int taken = 0;
    for (int i = 0; i < 10_000; i++) {
      long position = i * 117L;
      assertThat(all.takes(42, position)).isTrue();
      assertThat(some.takes(42, position)).isNotEqualTo(rest.takes(42, position));
      taken += some.takes(42, position) ? 1 : 0;
    }
    assertThat(taken).isBetween(1800, 2200);
  }
}
