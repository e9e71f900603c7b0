/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.RecordReader;
import org.tensorflowonspark.tfrecord.RecordWriter;

/** TFRecord files on a real HDFS whose nodes come and go. */
class HdfsIT {
  private static final int COUNT = 2000;
  private static MiniHdfs hdfs;

  private final List<byte[]> records = Frames.records(COUNT, 17);

  @BeforeAll
  static void start() throws IOException {
    hdfs = MiniHdfs.start(1);
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  private List<byte[]> readAll(RecordFiles files, long splitBytes) throws IOException {
    return Frames.readAll(hdfs.configuration(), files.splits(splitBytes));
  }

  private RecordReader open(RecordFiles files) throws IOException {
    return files.splits(Long.MAX_VALUE).get(0).open(hdfs.configuration(), Frames.PLAIN);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void whatIsWrittenIsReadEqualOverManyBlocks(Compression compression) throws IOException {
    String name = "equal/a.tfrecord" + compression.extension();
    try (RecordWriter writer =
        RecordOutput.create(hdfs.configuration(), hdfs.path(name), compression, true)) {
      for (byte[] record : records) {
        writer.write(record, 0, record.length);
      }
    }
    RecordFiles files = hdfs.list(name);
    assertThat(files.bytes()).isGreaterThan(5 * MiniHdfs.BLOCK_BYTES);
    Frames.assertSame(readAll(files, Long.MAX_VALUE), records);
  }

  @ParameterizedTest
  @ValueSource(longs = {60_000, MiniHdfs.BLOCK_BYTES - 1, MiniHdfs.BLOCK_BYTES, 1_000_000})
  void everyRecordIsReadOnceWhereverPartsAndBlocksEnd(long splitBytes) throws IOException {
    RecordFiles files = hdfs.write("parts-" + splitBytes, Frames.file(records));
    Frames.assertSame(readAll(files, splitBytes), records);
  }

  @Test
  void readersInMidReadAndThoseThatOpenWaitForANameNodeThatRestarts() throws Exception {
    RecordFiles files = hdfs.write("name-node", Frames.file(records));
    List<byte[]> half = new ArrayList<>();
    RecordReader reader = open(files);
    while (half.size() < COUNT / 2) {
      assertThat(reader.next()).isTrue();
      half.add(Frames.current(reader));
    }
    hdfs.stopNameNode();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<List<byte[]>> rest = threads.submit(() -> Frames.rest(reader));
      Future<List<byte[]>> opened = threads.submit(() -> readAll(files, 1 << 20));
      hdfs.startNameNode();
      half.addAll(rest.get());
      Frames.assertSame(half, records);
      Frames.assertSame(opened.get(), records);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aDataNodeThatRestartsInMidReadLosesNoRecord() throws Exception {
    RecordFiles files = hdfs.write("data-node", Frames.file(records));
    List<byte[]> read = new ArrayList<>();
    RecordReader reader = open(files);
    for (int i = 0; i < 10; i++) {
      assertThat(reader.next()).isTrue();
      read.add(Frames.current(reader));
    }
    MiniDFSCluster.DataNodeProperties node = hdfs.stopDataNode();
    hdfs.startDataNode(node);
    read.addAll(Frames.rest(reader));
    Frames.assertSame(read, records);
  }

  @Test
  void nothingCanBeReadOfATaskThatDiedWithItsFileOpen() throws Exception {
    Job job = HadoopJobs.outputTo(hdfs.configuration(), hdfs.path("job").toString());
    OutputCommitter committer = HadoopJobs.setUp(job);
    TaskAttemptContext dead = HadoopJobs.attempt(job.getConfiguration(), 0, 0);
    committer.setupTask(dead);
    HadoopJobs.writeAll(new TFRecordOutputFormat().getRecordWriter(dead), records);
    assertThat(hdfs.list("job").files()).isEmpty();
    committer.commitJob(job);
    assertThat(hdfs.list("job").files()).isEmpty();
    assertThat(hdfs.fileSystem().exists(hdfs.path("job/_SUCCESS"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing", "flushed", "flushed with length", "whole blocks"})
  void aFileThatItsWriterHasNotClosedIsAnError(String written) throws IOException {
    String name = "unclosed/" + written.replace(' ', '-');
    byte[] content = Frames.file(records);
    try (FSDataOutputStream out = hdfs.fileSystem().create(hdfs.path(name))) {
      switch (written) {
        case "flushed" -> {
          out.write(content, 0, 3000);
          out.hflush();
        }
        case "flushed with length" -> {
          out.write(content, 0, 3000);
          ((HdfsDataOutputStream) out)
              .hsync(EnumSet.of(HdfsDataOutputStream.SyncFlag.UPDATE_LENGTH));
        }
        case "whole blocks" -> {
          out.write(content, 0, 2 * MiniHdfs.BLOCK_BYTES + 100);
          out.hflush();
        }
        default -> assertThat(written).isEqualTo("nothing");
      }
      assertThatThrownBy(() -> readAll(hdfs.list(name), Long.MAX_VALUE))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("[TFOS-FILE-004] " + hdfs.path(name) + " is still being written");
      out.write(content, (int) out.getPos(), content.length - (int) out.getPos());
    }
    Frames.assertSame(readAll(hdfs.list(name), Long.MAX_VALUE), records);
  }
}
