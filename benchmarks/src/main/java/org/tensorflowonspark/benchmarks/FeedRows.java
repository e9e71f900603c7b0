/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;

/**
 * Rows of 784 floats and a label whose sums are known: whole numbers, so that sums are exact.
 *
 * @param count number of rows
 * @param partitions contiguous runs of them
 */
record FeedRows(long count, int partitions) implements Serializable {
  static final int WIDTH = 784;

  private static final StructType SCHEMA =
      new StructType()
          .add("image", DataTypes.createArrayType(DataTypes.FloatType, false), false)
          .add("label", DataTypes.LongType, false);

  private static float pixel(long row, int column) {
    return (row * 31 + column * 7L) % 251;
  }

  private static long label(long row) {
    return row % 10;
  }

  /** The rows, cached in memory: this evaluates them. The caller unpersists. */
  Dataset<Row> cached(SparkSession spark) {
    List<Integer> parts = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      parts.add(i);
    }
    JavaRDD<Row> rows =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(parts, partitions)
            .flatMap(this::partition);
    Dataset<Row> frame = spark.createDataFrame(rows, SCHEMA).persist(StorageLevel.MEMORY_ONLY());
    Executors.check(frame.count() == count, "the data set has another number of rows");
    return frame;
  }

  private Iterator<Row> partition(int index) {
    return LongStream.range(count * index / partitions, count * (index + 1) / partitions)
        .mapToObj(FeedRows::row)
        .iterator();
  }

  private static Row row(long number) {
    float[] image = new float[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      image[i] = pixel(number, i);
    }
    return RowFactory.create(image, label(number));
  }

  /** The sum of all labels. */
  long labels() {
    return LongStream.range(0, count).map(FeedRows::label).sum();
  }

  /** The sum of all floats. */
  double pixels() {
    double sum = 0;
    for (long row = 0; row < count; row++) {
      for (int i = 0; i < WIDTH; i++) {
        sum += pixel(row, i);
      }
    }
    return sum;
  }

  /** Goes through all rows as Spark has them, without copying one; gives the sum of labels. */
  static long scan(Dataset<Row> frame) {
    JavaRDD<InternalRow> rows = frame.queryExecution().toRdd().toJavaRDD();
    return rows.mapPartitions(FeedRows::touch).collect().stream().mapToLong(Long::longValue).sum();
  }

  private static Iterator<Long> touch(Iterator<InternalRow> rows) {
    long sum = 0;
    while (rows.hasNext()) {
      sum += rows.next().getLong(1);
    }
    return List.of(sum).iterator();
  }
}
