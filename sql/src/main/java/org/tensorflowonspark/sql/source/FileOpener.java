/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.io.IOException;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.sql.hadoop.RecordFile;
import org.tensorflowonspark.sql.hadoop.RecordSplit;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** Opens the files of one scan. Made on the driver, called on executors. */
final class FileOpener extends AbstractFunction1<PartitionedFile, Iterator<InternalRow>>
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ScanPlan plan;
  private final Broadcast<SerializableConfiguration> configuration;
  private final @Nullable LongAccumulator dropped;

  FileOpener(
      ScanPlan plan,
      Broadcast<SerializableConfiguration> configuration,
      @Nullable LongAccumulator dropped) {
    this.plan = plan;
    this.configuration = configuration;
    this.dropped = dropped;
  }

  @Override
  public Iterator<InternalRow> apply(PartitionedFile part) {
    String path = part.toPath().toString();
    RecordFile file =
        new RecordFile(
            path, part.fileSize(), part.modificationTime(), plan.options().compressionOf(path));
    RecordSplit split = new RecordSplit(file, part.start(), part.start() + part.length());
    Configuration hadoop = configuration.value().value();
    try {
      return RowIterator.open(split, part.partitionValues(), plan, hadoop, dropped);
    } catch (IOException e) {
      throw Scala.unchecked(e);
    }
  }
}
