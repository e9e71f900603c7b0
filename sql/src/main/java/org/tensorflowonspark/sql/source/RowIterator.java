/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.io.Closeable;
import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.sql.hadoop.RecordSplit;
import org.tensorflowonspark.sql.rows.BadRecordException;
import org.tensorflowonspark.sql.rows.RowDecoder;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;
import scala.collection.AbstractIterator;

/**
 * The rows of one file, or of a part of one. On executors, one thread; a row is valid until the
 * next one is asked for. It closes itself behind the last row and at the end of the task.
 */
final class RowIterator extends AbstractIterator<InternalRow> implements Closeable {
  private final BadRecords bad;
  private final CorruptRows corruptRows;
  private final RowDecoder decoder;
  private final @Nullable UnsafeProjection reordering;
  private @Nullable RecordReader reader;
  private @Nullable InternalRow row;
  private boolean atRecord;

  private RowIterator(
      BadRecords bad,
      CorruptRows corruptRows,
      RowDecoder decoder,
      @Nullable UnsafeProjection reordering,
      RecordReader reader) {
    this.bad = bad;
    this.corruptRows = corruptRows;
    this.decoder = decoder;
    this.reordering = reordering;
    this.reader = reader;
  }

  static RowIterator open(
      RecordSplit split,
      InternalRow partitionValues,
      ScanPlan plan,
      Configuration configuration,
      @Nullable LongAccumulator dropped)
      throws IOException {
    RowDecoder decoder =
        RowDecoder.of(plan.decoded(), plan.options().get(TFRecordOptions.RECORD_TYPE));
    StructType constants = plan.constants();
    if (!constants.isEmpty()) {
      decoder = decoder.withConstants(constants, CorruptRows.constants(plan, partitionValues));
    }
    ReadMode mode = plan.options().get(TFRecordOptions.MODE);
    BadRecords bad = new BadRecords(mode, plan.corruptIsBinary(), dropped);
    ReadOptions options = plan.options().readOptions();
    RowIterator rows =
        new RowIterator(
            bad,
            new CorruptRows(plan, partitionValues),
            decoder,
            CorruptRows.reordering(plan),
            ReadFailures.open(
                split,
                configuration,
                mode == ReadMode.FAILFAST ? options : options.tolerating(bad::onDamage)));
    TaskContext task = TaskContext.get();
    if (task != null) {
      task.addTaskCompletionListener((TaskCompletionListener) context -> rows.close());
    }
    return rows;
  }

  @Override
  public boolean hasNext() {
    if (row == null && reader != null) {
      try {
        row = advance(reader);
      } catch (IOException e) {
        throw Scala.unchecked(ReadFailures.unwrapped(e));
      }
      if (row == null) {
        close();
      }
    }
    return row != null;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    InternalRow next = Objects.requireNonNull(row);
    row = null;
    return next;
  }

  private @Nullable InternalRow advance(RecordReader reader) throws IOException {
    while (true) {
      // Damage lies before the record that the reader has gone on to.
      BadRecords.Bad damaged = bad.poll();
      if (damaged != null) {
        return corruptRows.row(damaged);
      }
      if (atRecord) {
        atRecord = false;
        InternalRow decoded = decode(reader);
        if (decoded != null) {
          return decoded;
        }
      } else {
        atRecord = reader.next();
        if (!atRecord && !bad.isWaiting()) {
          return null;
        }
      }
    }
  }

  private @Nullable InternalRow decode(RecordReader reader) {
    try {
      InternalRow decoded = decoder.decode(reader.buffer(), reader.offset(), reader.length());
      return reordering == null ? decoded : reordering.apply(decoded);
    } catch (BadRecordException e) {
      bad.onRecord(reader, e);
      return null;
    }
  }

  @Override
  public void close() {
    RecordReader open = reader;
    if (open == null) {
      return;
    }
    reader = null;
    bad.report(open.file());
    try {
      open.close();
    } catch (IOException e) {
      throw Scala.unchecked(e);
    }
  }
}
