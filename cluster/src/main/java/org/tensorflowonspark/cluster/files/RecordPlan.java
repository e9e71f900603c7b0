/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.cluster.columns.ColumnPlan;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.sql.hadoop.RecordFiles;
import org.tensorflowonspark.sql.rows.RowDecoder;

/**
 * How the records of an input become columns of tensors: made once for a feed, on the node.
 *
 * @param input the input, with its files listed
 * @param schema columns that are decoded
 * @param columns how they become tensors
 */
public record RecordPlan(TFRecordInput input, StructType schema, ColumnPlan columns) {

  /**
   * Looks at the first record unless the input has a schema, and checks the tensors against it.
   *
   * @throws org.tensorflowonspark.base.TfosException for a tensor that cannot be filled
   */
  public static RecordPlan of(
      TFRecordInput input, List<ColumnTarget> targets, Configuration hadoop) {
    InputSchema.check(input);
    RecordFiles files = Objects.requireNonNull(input.files(), "files");
    try {
      if (input.schema() != null) {
        // Refuses a column that is not there, and names near ones of the whole schema.
        ColumnPlan unused = ColumnPlan.of(input.schema(), targets);
      }
      StructType schema =
          InputSchema.of(input, files.splits(Long.MAX_VALUE), input.schema(), targets, hadoop);
      return new RecordPlan(input, schema, ColumnPlan.of(schema, targets));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the first record of " + input.paths(), e);
    }
  }

  RowDecoder decoder() {
    return RowDecoder.of(schema, input.recordType());
  }
}
