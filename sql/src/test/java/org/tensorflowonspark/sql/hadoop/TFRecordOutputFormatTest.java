/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.DeflateCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.Compression;

class TFRecordOutputFormatTest {
  private final Configuration configuration = new Configuration();
  private final List<byte[]> records = Frames.records(80, 5);
  @TempDir java.nio.file.Path folder;

  private Job output() throws IOException {
    return HadoopJobs.outputTo(configuration, folder + "/out");
  }

  private RecordFiles written() throws IOException {
    return RecordFiles.list(configuration, List.of(folder + "/out"));
  }

  private void assertWritten(String name) throws IOException {
    assertThat(written().files())
        .extracting(RecordFile::path)
        .containsExactly("file:" + folder + "/out/" + name);
    Frames.assertSame(Frames.readAll(configuration, written().splits(Long.MAX_VALUE)), records);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void writesAsOurOwnKeySays(Compression compression) throws Exception {
    Job job = output();
    TFRecordOutputFormat.setCompression(job, compression);
    HadoopJobs.write(job, records);
    assertWritten("part-m-00000.tfrecord" + compression.extension());
    if (compression == Compression.NONE) {
      assertThat(Files.readAllBytes(folder.resolve("out/part-m-00000.tfrecord")))
          .isEqualTo(Frames.file(records));
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {GzipCodec.class, DefaultCodec.class, DeflateCodec.class})
  void writesAsHadoopsCompressionSays(Class<? extends CompressionCodec> codec) throws Exception {
    Job job = output();
    FileOutputFormat.setCompressOutput(job, true);
    FileOutputFormat.setOutputCompressorClass(job, codec);
    HadoopJobs.write(job, records);
    assertWritten("part-m-00000.tfrecord" + (codec == GzipCodec.class ? ".gz" : ".zlib"));
  }

  @Test
  void ourOwnKeyComesBeforeHadoops() throws Exception {
    Job job = output();
    FileOutputFormat.setCompressOutput(job, true);
    FileOutputFormat.setOutputCompressorClass(job, SnappyCodec.class);
    TFRecordOutputFormat.setCompression(job, Compression.NONE);
    HadoopJobs.write(job, records);
    assertWritten("part-m-00000.tfrecord");
  }

  @ParameterizedTest
  @ValueSource(classes = {SnappyCodec.class, BZip2Codec.class})
  void aCodecThatTensorFlowLacksIsRefusedBeforeTheJobBegins(Class<? extends CompressionCodec> codec)
      throws IOException {
    Job job = output();
    FileOutputFormat.setCompressOutput(job, true);
    FileOutputFormat.setOutputCompressorClass(job, codec);
    assertThatThrownBy(() -> new TFRecordOutputFormat().checkOutputSpecs(job))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-FILE-005] TensorFlow could not read")
        .hasMessageContaining(codec.getName());
  }

  @Test
  void anUnknownCompressionIsRefused() throws IOException {
    Job job = output();
    job.getConfiguration().set(TFRecordOutputFormat.COMPRESSION, "snappy");
    assertThatThrownBy(() -> new TFRecordOutputFormat().checkOutputSpecs(job))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("Invalid value 'snappy' for tfos.tfrecord.compression");
  }

  @Test
  void nothingCanBeReadOfATaskThatDiedAndTheNextAttemptTakesItsPlace() throws Exception {
    Job job = output();
    OutputCommitter committer = HadoopJobs.setUp(job);
    TaskAttemptContext dead = HadoopJobs.attempt(job.getConfiguration(), 0, 0);
    committer.setupTask(dead);
    RecordWriter<BytesWritable, NullWritable> left =
        new TFRecordOutputFormat().getRecordWriter(dead);
    HadoopJobs.writeAll(left, records.subList(0, 40));
    assertThat(written().files()).isEmpty();

    TaskAttemptContext next = HadoopJobs.attempt(job.getConfiguration(), 0, 1);
    committer.setupTask(next);
    RecordWriter<BytesWritable, NullWritable> writer =
        new TFRecordOutputFormat().getRecordWriter(next);
    HadoopJobs.writeAll(writer, records);
    writer.close(next);
    assertThat(written().files()).isEmpty();
    committer.commitTask(next);
    committer.commitJob(job);
    left.close(dead);
    assertWritten("part-m-00000.tfrecord");
  }

  @Test
  void anAbortedTaskLeavesNoFile() throws Exception {
    Job job = output();
    OutputCommitter committer = HadoopJobs.setUp(job);
    TaskAttemptContext context = HadoopJobs.attempt(job.getConfiguration(), 0, 0);
    committer.setupTask(context);
    RecordWriter<BytesWritable, NullWritable> writer =
        new TFRecordOutputFormat().getRecordWriter(context);
    HadoopJobs.writeAll(writer, records);
    writer.close(context);
    committer.abortTask(context);
    committer.commitJob(job);
    assertThat(written().files()).isEmpty();
  }
}
