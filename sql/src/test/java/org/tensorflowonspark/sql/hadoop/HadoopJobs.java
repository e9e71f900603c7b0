/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/** Runs the formats as a MapReduce job does, in this thread. */
final class HadoopJobs {
  private HadoopJobs() {}

  static TaskAttemptContext attempt(Configuration configuration, int task, int attempt) {
    return new TaskAttemptContextImpl(
        configuration, new TaskAttemptID("tfos", 1, TaskType.MAP, task, attempt));
  }

  static Job job(Configuration configuration) throws IOException {
    return Job.getInstance(new Configuration(configuration));
  }

  /** A job that writes to a directory, set up as the driver does. */
  static Job outputTo(Configuration configuration, String directory) throws IOException {
    Job job = job(configuration);
    FileOutputFormat.setOutputPath(job, new Path(directory));
    return job;
  }

  static OutputCommitter setUp(Job job) throws IOException, InterruptedException {
    TFRecordOutputFormat format = new TFRecordOutputFormat();
    format.checkOutputSpecs(job);
    OutputCommitter committer = format.getOutputCommitter(attempt(job.getConfiguration(), 0, 0));
    committer.setupJob(job);
    return committer;
  }

  /** Writes all records in one task, and commits. */
  static void write(Job job, List<byte[]> records) throws IOException, InterruptedException {
    OutputCommitter committer = setUp(job);
    TaskAttemptContext context = attempt(job.getConfiguration(), 0, 0);
    committer.setupTask(context);
    RecordWriter<BytesWritable, NullWritable> writer =
        new TFRecordOutputFormat().getRecordWriter(context);
    writeAll(writer, records);
    writer.close(context);
    committer.commitTask(context);
    committer.commitJob(job);
  }

  static void writeAll(RecordWriter<BytesWritable, NullWritable> writer, List<byte[]> records)
      throws IOException, InterruptedException {
    BytesWritable key = new BytesWritable();
    for (byte[] record : records) {
      // The array behind a key is longer than the record, as Hadoop reuses it.
      key.set(record, 0, record.length);
      writer.write(key, NullWritable.get());
    }
  }

  /** Reads all records by all splits of a job whose input paths are set. */
  static List<byte[]> read(Job job) throws IOException, InterruptedException {
    List<byte[]> records = new ArrayList<>();
    TFRecordInputFormat format = new TFRecordInputFormat();
    for (InputSplit split : format.getSplits(job)) {
      TaskAttemptContext context = attempt(job.getConfiguration(), 0, 0);
      try (RecordReader<BytesWritable, NullWritable> reader =
          format.createRecordReader(split, context)) {
        reader.initialize(split, context);
        while (reader.nextKeyValue()) {
          records.add(reader.getCurrentKey().copyBytes());
        }
      }
    }
    return records;
  }
}
