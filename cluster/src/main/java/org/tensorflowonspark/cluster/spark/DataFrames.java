/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.spark;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** DataFrames over rows in Spark's internal form. Driver side. */
public final class DataFrames {
  private DataFrames() {}

  /** The rows of {@code rows} as a DataFrame of {@code schema}; nothing is evaluated. */
  public static Dataset<Row> of(
      SparkSession session, JavaRDD<InternalRow> rows, StructType schema) {
    return ((org.apache.spark.sql.classic.SparkSession) session)
        .internalCreateDataFrame(rows.rdd(), schema, false);
  }
}
