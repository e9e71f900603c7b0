/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.FileSourceOptions;
import org.apache.spark.util.SerializableConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflowonspark.sql.hadoop.RecordSplit;
import org.tensorflowonspark.sql.rows.BadRecordException;
import org.tensorflowonspark.sql.rows.SchemaInference;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;

/** Looks at the records of some parts of files. Made on the driver, called on executors. */
final class InferenceTask implements FlatMapFunction<Iterator<RecordSplit>, SchemaInference> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(InferenceTask.class);

  private final TFRecordOptions options;
  private final FileSourceOptions tolerance;
  private final Broadcast<SerializableConfiguration> hadoop;

  InferenceTask(
      TFRecordOptions options,
      FileSourceOptions tolerance,
      Broadcast<SerializableConfiguration> hadoop) {
    this.options = options;
    this.tolerance = tolerance;
    this.hadoop = hadoop;
  }

  @Override
  public Iterator<SchemaInference> call(Iterator<RecordSplit> parts) throws IOException {
    SchemaInference seen =
        SchemaInference.of(
            options.get(TFRecordOptions.RECORD_TYPE),
            options.get(TFRecordOptions.BINARY_AS_STRING));
    while (parts.hasNext()) {
      RecordSplit part = parts.next();
      try {
        look(part, seen);
      } catch (FileNotFoundException e) {
        if (!tolerance.ignoreMissingFiles()) {
          throw e;
        }
        LOG.warn("Left out of the schema, as it is missing: {}", part, e);
      } catch (IOException | RuntimeException e) {
        if (!tolerance.ignoreCorruptFiles() || !ReadFailures.isCorruption(e)) {
          throw e;
        }
        LOG.warn("The rest is left out of the schema, as it is corrupt: {}", part, e);
      }
    }
    return List.of(seen).iterator();
  }

  private void look(RecordSplit part, SchemaInference seen) throws IOException {
    Configuration configuration = hadoop.value().value();
    ReadMode mode = options.get(TFRecordOptions.MODE);
    BadRecords bad =
        new BadRecords(mode == ReadMode.FAILFAST ? mode : ReadMode.DROPMALFORMED, false, null);
    ReadOptions how = options.readOptions();
    if (mode != ReadMode.FAILFAST) {
      how = how.tolerating(bad::onDamage);
    }
    long left = options.get(TFRecordOptions.LIMIT);
    left = left == 0 ? Long.MAX_VALUE : left;
    double ratio = options.get(TFRecordOptions.SAMPLING_RATIO);
    seen.from(part.file().path());
    try (RecordReader reader = ReadFailures.open(part, configuration, how)) {
      while (left-- > 0 && next(reader)) {
        if (ratio >= 1 || drawn(reader.position(), ratio)) {
          add(reader, seen, bad);
        }
      }
    }
    bad.report(part.file().path());
  }

  private static boolean next(RecordReader reader) throws IOException {
    try {
      return reader.next();
    } catch (IOException e) {
      throw ReadFailures.unwrapped(e);
    }
  }

  private static void add(RecordReader reader, SchemaInference seen, BadRecords bad) {
    try {
      seen.add(reader.buffer(), reader.offset(), reader.length());
    } catch (BadRecordException e) {
      bad.onRecord(reader, e);
    }
  }

  /** Draws by the record's place, so that it does not matter how a file is cut. */
  static boolean drawn(long position, double ratio) {
    // The finalizer of SplitMix64, which spreads neighbouring places over all numbers.
    long mixed = (position ^ (position >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    mixed ^= mixed >>> 31;
    return (mixed >>> 11) * 0x1.0p-53 < ratio;
  }
}
