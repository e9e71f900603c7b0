/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.tensorflowonspark.cli.demo.IdxFiles;
import org.tensorflowonspark.cli.demo.LabelledImages;

/**
 * MNIST's training images as rows, read by the executors: images that the driver hands out would
 * travel with the tasks of every job, cached or not.
 *
 * @param folder local folder with the IDX files
 * @param most images used, from the start
 * @param partitions contiguous runs of images
 */
record MnistRows(String folder, int most, int partitions) implements Serializable {
  private static final StructType SCHEMA =
      new StructType()
          .add("image", DataTypes.createArrayType(DataTypes.FloatType, false), false)
          .add("label", DataTypes.LongType, false);

  /** The rows, cached in memory: this evaluates them. */
  Dataset<Row> cached(SparkSession spark) {
    List<Integer> parts = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      parts.add(i);
    }
    var rows =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(parts, partitions)
            .flatMap(this::partition);
    Dataset<Row> frame = spark.createDataFrame(rows, SCHEMA).persist(StorageLevel.MEMORY_ONLY());
    Executors.check(frame.count() > 0, "there are no images");
    return frame;
  }

  private Iterator<Row> partition(int index) {
    LabelledImages images = IdxFiles.read(Path.of(folder), "train");
    long count = Math.min(most, images.count());
    return IntStream.range(
            (int) (count * index / partitions), (int) (count * (index + 1) / partitions))
        .mapToObj(i -> row(images, i))
        .iterator();
  }

  private static Row row(LabelledImages images, int index) {
    int size = images.imageSize();
    byte[] pixels = images.pixels();
    float[] image = new float[size];
    for (int i = 0; i < size; i++) {
      image[i] = (pixels[index * size + i] & 0xff) / 255f;
    }
    return RowFactory.create(image, (long) images.labels()[index]);
  }
}
