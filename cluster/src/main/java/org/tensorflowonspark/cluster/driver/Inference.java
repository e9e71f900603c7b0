/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import java.util.List;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.columns.AnswerRows;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.tensorflow.TensorSpec;

/** The schema of answered rows. */
final class Inference {
  private Inference() {}

  /** The columns of the input, then one for each output. */
  static StructType schema(StructType input, List<TensorSpec> outputs) {
    StructType schema = input;
    for (StructField field : AnswerRows.schemaOf(outputs).fields()) {
      if (List.of(input.fieldNames()).contains(field.name())) {
        throw new TfosException(
            ClusterError.COLUMN_TAKEN,
            "The data set has a column '" + field.name() + "' already, which is also an output",
            "Rename or drop the column, or open the feed with a renamed output.");
      }
      schema = schema.add(field);
    }
    return schema;
  }
}
