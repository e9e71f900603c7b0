/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.tensorflow.DType;
import org.tensorflowonspark.tensorflow.TensorSpec;

/** Data sets and models that the tests of this module share. */
final class Data {
  /** What {@link #numbered} has: a number and a vector that repeats it. */
  static final List<TensorSpec> NUMBERED =
      List.of(TensorSpec.of("id", DType.INT64, -1), TensorSpec.of("values", DType.FLOAT32, -1, 4));

  private static final StructType NUMBERED_SCHEMA =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("values", DataTypes.createArrayType(DataTypes.FloatType, false), false);

  private Data() {}

  /** Rows numbered from 0, in partitions of the given sizes. */
  static Dataset<Row> numbered(SparkSession spark, int... partitionSizes) {
    int[] first = new int[partitionSizes.length];
    for (int i = 1; i < first.length; i++) {
      first[i] = first[i - 1] + partitionSizes[i - 1];
    }
    List<Integer> partitions = new ArrayList<>();
    for (int i = 0; i < partitionSizes.length; i++) {
      partitions.add(i);
    }
    var rows =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(partitions, Math.max(1, partitions.size()))
            .flatMap(p -> rows(first[p], partitionSizes[p]).iterator());
    return spark.createDataFrame(rows, NUMBERED_SCHEMA);
  }

  private static List<Row> rows(int first, int count) {
    List<Row> rows = new ArrayList<>(count);
    for (int id = first; id < first + count; id++) {
      float v = id;
      rows.add(RowFactory.create((long) id, new Float[] {v, v, v, v}));
    }
    return rows;
  }

  /** A classification that a small network learns: three clusters of points in four dimensions. */
  static Dataset<Row> points(SparkSession spark, int rows, int partitions, long seed) {
    Random random = new Random(seed);
    List<Row> points = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      int label = random.nextInt(3);
      Float[] x = new Float[4];
      for (int d = 0; d < 4; d++) {
        x[d] = (float) (random.nextGaussian() * 0.5 + (d == label ? 2 : 0));
      }
      points.add(RowFactory.create(x, (long) label));
    }
    StructType schema =
        new StructType()
            .add("features", DataTypes.createArrayType(DataTypes.FloatType, false), false)
            .add("label", DataTypes.LongType, false);
    var rdd =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(points, partitions);
    return spark.createDataFrame(rdd, schema);
  }

  /** A trainable model of the fixtures. */
  static String model(String name) {
    return Path.of(System.getProperty("tfos.root"), "tensorflow/src/test/resources/models", name)
        .toString();
  }
}
