/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.Compression;

class TFRecordInputFormatTest {
  private final Configuration configuration = new Configuration();
  private final List<byte[]> records = Frames.records(80, 5);
  @TempDir java.nio.file.Path folder;

  private Job input(String name, byte[] content) throws IOException {
    Files.write(folder.resolve(name), content);
    Job job = HadoopJobs.job(configuration);
    FileInputFormat.addInputPath(job, new Path(folder.resolve(name).toUri()));
    return job;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 13, 700, 4097, 1 << 20})
  void everyRecordIsReadOnceForEverySplitSize(long splitBytes) throws Exception {
    List<byte[]> few = splitBytes < 100 ? Frames.records(3, 5) : records;
    Job job = input("a.tfrecord", Frames.file(few));
    FileInputFormat.setMaxInputSplitSize(job, splitBytes);
    Frames.assertSame(HadoopJobs.read(job), few);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void onlyPlainFilesAreSplit(Compression compression) throws Exception {
    Job job = input("a.tfrecord" + compression.extension(), Frames.file(records, compression));
    FileInputFormat.setMaxInputSplitSize(job, 10_000);
    int splits = new TFRecordInputFormat().getSplits(job).size();
    if (compression == Compression.NONE) {
      assertThat(splits).isGreaterThan(5);
    } else {
      assertThat(splits).isEqualTo(1);
    }
    Frames.assertSame(HadoopJobs.read(job), records);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void anEmptyFileHoldsNoRecord(Compression compression) throws Exception {
    Job job = input("a" + compression.extension(), Frames.file(List.of(), compression));
    assertThat(HadoopJobs.read(job)).isEmpty();
  }

  @Test
  void keysHoldExactlyTheRecordAndStayWhenTheReaderGoesOn() throws Exception {
    Job job = input("a", Frames.file(records));
    List<BytesWritable> kept = new ArrayList<>();
    try (RecordReader<BytesWritable, NullWritable> reader = reader(job)) {
      float before = reader.getProgress();
      while (reader.nextKeyValue()) {
        kept.add(reader.getCurrentKey());
        assertThat(reader.getCurrentValue()).isSameAs(NullWritable.get());
        assertThat(reader.getProgress()).isBetween(before, 1f);
        before = reader.getProgress();
      }
      assertThat(reader.nextKeyValue()).isFalse();
      assertThat(reader.getProgress()).isEqualTo(1);
    }
    Frames.assertSame(kept.stream().map(BytesWritable::getBytes).toList(), records);
  }

  @Test
  void progressIsNotThroughInTheMiddleOfALargeFile() throws Exception {
    List<byte[]> many = Frames.records(8000, 5);
    Job job = input("a", Frames.file(many));
    try (RecordReader<BytesWritable, NullWritable> reader = reader(job)) {
      for (int i = 0; i < many.size() / 2; i++) {
        assertThat(reader.nextKeyValue()).isTrue();
      }
      assertThat(reader.getProgress()).isBetween(0.4f, 0.8f);
    }
  }

  private RecordReader<BytesWritable, NullWritable> reader(Job job)
      throws IOException, InterruptedException {
    TFRecordInputFormat format = new TFRecordInputFormat();
    TaskAttemptContext context = HadoopJobs.attempt(job.getConfiguration(), 0, 0);
    InputSplit split = format.getSplits(job).get(0);
    RecordReader<BytesWritable, NullWritable> reader = format.createRecordReader(split, context);
    reader.initialize(split, context);
    return reader;
  }

  @Test
  void theConfigurationTurnsTheCheckOfDataOff() throws Exception {
    byte[] content = Frames.file(records);
    content[content.length - 1] ^= 1;
    Job job = input("a", content);
    assertThatThrownBy(() -> HadoopJobs.read(job))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-RECORD-002] file:" + folder + "/a at byte ");
    TFRecordInputFormat.setCheckCrc(job, false);
    Frames.assertSame(HadoopJobs.read(job), records);
  }

  @Test
  void theConfigurationSetsTheLongestRecord() throws Exception {
    Job job = input("a", Frames.file(List.of(new byte[100], new byte[101])));
    TFRecordInputFormat.setMaxRecordLength(job, 101);
    assertThat(HadoopJobs.read(job)).hasSize(2);
    TFRecordInputFormat.setMaxRecordLength(job, 100);
    assertThatThrownBy(() -> HadoopJobs.read(job))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-RECORD-004]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tfos.tfrecord.checkCrc=no", "tfos.tfrecord.checkCRC=true"})
  void aMisspeltSettingIsAnError(String setting) throws Exception {
    Job job = input("a", Frames.file(records));
    String[] keyAndValue = setting.split("=", 2);
    job.getConfiguration().set(keyAndValue[0], keyAndValue[1]);
    assertThatThrownBy(() -> HadoopJobs.read(job))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-OPTION-00")
        .hasMessageContaining("tfos.tfrecord.checkCrc");
  }

  @Test
  void aSplitBeyondTheEndOfAFileThatShrankIsAnError() throws Exception {
    Job job = input("a", Frames.file(records));
    TaskAttemptContext context = HadoopJobs.attempt(job.getConfiguration(), 0, 0);
    Path path = new Path(folder.resolve("a").toUri());
    long length = Files.size(folder.resolve("a"));
    try (SplitRecordReader reader = new SplitRecordReader()) {
      assertThatThrownBy(
              () -> reader.initialize(new FileSplit(path, 1, length, new String[0]), context))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("[TFOS-FILE-002]")
          .hasMessageContaining(folder + "/a");
    }
  }

  @Test
  void aPartOfACompressedFileIsRefused() throws Exception {
    Job job = input("a.gz", Frames.file(records, Compression.GZIP));
    TaskAttemptContext context = HadoopJobs.attempt(job.getConfiguration(), 0, 0);
    Path path = new Path(folder.resolve("a.gz").toUri());
    try (SplitRecordReader reader = new SplitRecordReader()) {
      assertThatThrownBy(
              () -> reader.initialize(new FileSplit(path, 100, 100, new String[0]), context))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("[TFOS-FILE-003]");
    }
  }
}
