/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.feed.Feed;
import org.tensorflowonspark.cluster.files.TFRecordInput;
import org.tensorflowonspark.cluster.node.NodeFunction;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.testkit.ExecutorProcess;
import org.tensorflowonspark.testkit.LocalCluster;

/** Programs whose feeds read TFRecord files themselves. */
class FileFeedIT {
  private static final int BATCH = 8;
  private static final Duration SOON = Duration.ofSeconds(2);

  private static LocalCluster spark;
  private Clean clean;

  @TempDir Path dir;

  @BeforeAll
  static void start() {
    spark = LocalCluster.builder().executors(2).cores(1).memoryMb(768).start();
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void before() {
    clean = Clean.beforeModels(spark);
  }

  private static List<Seen> run(NodeFunction<Seen> program) {
    try (TFCluster<Seen> cluster = TFCluster.builder(spark.spark()).workers(2).call(program)) {
      return cluster.await();
    }
  }

  private List<Seen> read(Epochs epochs) {
    String path = dir.toString();
    return run(
        ctx ->
            Seen.read(
                ctx.feed(Data.NUMBERED).files(TFRecordInput.of(path), epochs), BATCH, step -> {}));
  }

  @Test
  void everyRecordComesOnceInEachEpochWhateverTheFiles() {
    int[] sizes = {0, 1, 1000, BATCH, 7, 0, 3000, 2};
    RecordData.write(dir, 100, sizes);
    // Large enough to be cut into parts.
    RecordData.writeFile(dir.resolve("large.tfrecord"), 100 + 4018, 3000, 1000);
    int count = Arrays.stream(sizes).sum() + 3000;
    for (Epochs epochs : List.of(Epochs.of(2), Epochs.of(3).shuffled(5))) {
      List<Seen> nodes = read(epochs);
      Seen.assertExact(nodes, 100, count, epochs.count());
      assertThat(Seen.total(nodes)).isEqualTo((long) count * epochs.count());
      assertThat(nodes).allSatisfy(n -> assertThat(n.rows().length).isGreaterThan(1000));
    }
    clean.check();
  }

  @Test
  void theSameSeedGivesTheSameOrderAndAnotherAnother() {
    RecordData.write(dir, 0, 500, 400, 300, 200);
    List<Seen> first = read(Epochs.of(2).shuffled(5));
    List<Seen> again = read(Epochs.of(2).shuffled(5));
    List<Seen> other = read(Epochs.of(2).shuffled(6));
    for (int node = 0; node < 2; node++) {
      assertThat(again.get(node).rows()).isEqualTo(first.get(node).rows());
      assertThat(other.get(node).rows()).isNotEqualTo(first.get(node).rows());
    }
  }

  @Test
  void nodesInStepEndTogetherHoweverUnevenTheFiles() throws IOException {
    String model = Data.model("multi-dim-mlp");
    for (int[] sizes : new int[][] {{1, 1000}, {5}, {0, 0}}) {
      Path files = Files.createDirectory(dir.resolve("files-" + sizes[0]));
      String path = files.toString();
      RecordData.write(files, 0, sizes);
      List<Seen> nodes =
          run(
              ctx ->
                  Seen.readInStep(
                      ctx,
                      model,
                      feed -> feed.files(TFRecordInput.of(path), Epochs.of(3).shuffled(1)),
                      BATCH,
                      step -> {}));
      Seen.assertExact(nodes, 0, Arrays.stream(sizes).sum(), 3);
      assertThat(nodes).extracting(Seen::steps).containsOnly(nodes.get(0).steps());
    }
    clean.check();
  }

  @Test
  void withoutEpochsEachPassHasAllRecords() {
    RecordData.write(dir, 0, 50, 20);
    String path = dir.toString();
    List<Seen> nodes =
        run(
            ctx -> {
              long rows = 0;
              try (Batch batch = Batch.allocate(Data.NUMBERED, BATCH);
                  Feed feed =
                      ctx.feed(Data.NUMBERED).files(TFRecordInput.of(path)).batch(BATCH).open()) {
                for (int pass = 0; pass < 3; pass++) {
                  while (feed.next(batch)) {
                    rows += batch.rows();
                  }
                }
              }
              return new Seen(new long[] {rows}, 0);
            });
    assertThat(nodes.stream().mapToLong(n -> n.rows()[0]).sum()).isEqualTo(3 * 70);
    clean.check();
  }

  @Test
  void aDamagedRecordIsNamedByFileAndOffsetOrSkipped() throws IOException {
    RecordData.writeFile(dir.resolve("good.tfrecord"), 0, 300, 0);
    Path bad = dir.resolve("bad.tfrecord");
    RecordData.writeFile(bad, 300, 300, 0);
    byte[] bytes = Files.readAllBytes(bad);
    bytes[5000] ^= 1;
    Files.write(bad, bytes);

    Throwable error = catchThrowable(() -> read(Epochs.of(1)));
    assertThat(error)
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("TFOS-RECORD-00")
        .hasMessageContaining("bad.tfrecord at byte ");
    clean.check();

    String path = dir.toString();
    List<Seen> nodes =
        run(
            ctx ->
                Seen.read(
                    ctx.feed(Data.NUMBERED)
                        .files(TFRecordInput.of(path).skipDamaged(), Epochs.of(1)),
                    BATCH,
                    step -> {}));
    assertThat(Seen.total(nodes)).isEqualTo(599);
    clean.check();
  }

  @Test
  void whatCannotBeReadIsAnErrorThatSaysWhy() throws IOException {
    String missing = dir.resolve("missing").toString();
    assertThat(catchThrowable(() -> readFrom(missing, "id"))).hasMessageContaining(missing);
    assertThat(catchThrowable(() -> readFrom(dir.toString(), "id")))
        .hasMessageContaining("TFOS-FEED-011");

    RecordData.writeFile(dir.resolve("part.tfrecord"), 0, 10, 0);
    assertThat(catchThrowable(() -> readFrom(dir.toString(), "ident")))
        .hasMessageContaining("TFOS-ROW-002")
        .hasMessageContaining("part.tfrecord at byte 0")
        .hasMessageContaining("'ident'");
    assertThat(catchThrowable(() -> readFrom(dir.toString(), "values")))
        .hasMessageContaining("'values'");
    clean.check();
  }

  private static void readFrom(String path, String column) {
    List<Seen> unused =
        run(
            ctx ->
                Seen.read(
                    ctx.feed(Data.NUMBERED)
                        .from("id", column)
                        .files(TFRecordInput.of(path), Epochs.of(1)),
                    BATCH,
                    step -> {}));
  }

  @Test
  void aProgramMayStopReadingAtAnyTime() {
    RecordData.writeFile(dir.resolve("large.tfrecord"), 0, 20_000, 1000);
    String path = dir.toString();
    List<Seen> nodes =
        run(
            ctx -> {
              try (Batch batch = Batch.allocate(Data.NUMBERED, BATCH);
                  Feed feed =
                      ctx.feed(Data.NUMBERED)
                          .files(TFRecordInput.of(path), Epochs.of(9))
                          .batch(BATCH)
                          .open()) {
                boolean more = feed.next(batch);
                return new Seen(new long[] {more ? feed.rowsUsed() : -1}, 1);
              }
            });
    assertThat(nodes).allSatisfy(n -> assertThat(n.rows()).containsExactly(BATCH));
    clean.check();
  }

  @Test
  void programsMayLetTensorFlowReadFilesInsideAGraph() throws IOException {
    for (int i = 0; i < 5; i++) {
      RecordData.writeFile(dir.resolve("part-" + i + ".tfrecord"), 0, 10 + i, 0);
    }
    List<String> paths;
    try (var files = Files.list(dir)) {
      paths = files.map(Path::toString).sorted().toList();
    }
    List<Seen> nodes =
        run(ctx -> new Seen(new long[] {TensorFlowReader.count(ctx.shard(paths))}, 0));
    assertThat(nodes).extracting(n -> n.rows()[0]).containsExactly(10L + 12 + 14, 11L + 13);
    clean.check();
  }

  @Test
  void anExecutorKilledWhileNodesReadIsNamed() {
    RecordData.writeFile(dir.resolve("large.tfrecord"), 0, 20_000, 300);
    String path = dir.toString();
    String model = Data.model("multi-dim-mlp");
    CountDownLatch stepping = new CountDownLatch(20);
    Faults.Told told;
    try (TFCluster<Seen> cluster =
        TFCluster.builder(spark.spark())
            .workers(2)
            .onProgress(p -> stepping.countDown())
            .call(
                ctx ->
                    Seen.readInStep(
                        ctx,
                        model,
                        feed -> feed.files(TFRecordInput.of(path), Epochs.of(10_000)),
                        BATCH,
                        step -> Seen.report(ctx, step)))) {
      ExecutorProcess process = spark.executor(cluster.members().get(1).executorId());
      told = Faults.inject(stepping, process::kill, cluster::await).within(SOON);
    }
    assertThat(told.coded(ClusterError.NODE_LOST)).hasMessageContaining("Node 1");
    clean.checkAfterKill();
  }
}
