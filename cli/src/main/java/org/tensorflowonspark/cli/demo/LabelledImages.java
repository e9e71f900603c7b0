/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Images of one byte a pixel with their labels. Whoever makes one gives the arrays away.
 *
 * @param rows height of each image
 * @param columns width of each image
 * @param pixels all images, one after another, row by row
 * @param labels a label for each image
 */
@SuppressWarnings("ArrayRecordComponent") // tens of megabytes that nobody compares
public record LabelledImages(int rows, int columns, byte[] pixels, byte[] labels)
    implements Serializable {

  private static final StructType SCHEMA =
      new StructType()
          .add("image", DataTypes.createArrayType(DataTypes.FloatType, false), false)
          .add("label", DataTypes.LongType, false);

  /** Number of images. */
  public int count() {
    return labels.length;
  }

  /** Pixels of one image. */
  public int imageSize() {
    return rows * columns;
  }

  /**
   * A DataFrame of {@code image array<float>} with values from 0 to 1 and {@code label bigint}. The
   * bytes travel to the executors once; the floats, four times their size, are made there.
   *
   * @param partitions contiguous runs of images that differ by one image at most
   */
  public Dataset<Row> toDataFrame(SparkSession spark, int partitions) {
    List<LabelledImages> slices = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      int from = (int) ((long) count() * i / partitions);
      int to = (int) ((long) count() * (i + 1) / partitions);
      slices.add(slice(from, to));
    }
    JavaRDD<Row> images =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(slices, partitions)
            .flatMap(LabelledImages::toRows);
    return spark.createDataFrame(images, SCHEMA);
  }

  private LabelledImages slice(int from, int to) {
    int size = imageSize();
    return new LabelledImages(
        rows,
        columns,
        Arrays.copyOfRange(pixels, from * size, to * size),
        Arrays.copyOfRange(labels, from, to));
  }

  private Iterator<Row> toRows() {
    return IntStream.range(0, count()).mapToObj(this::toRow).iterator();
  }

  private Row toRow(int index) {
    float[] image = new float[imageSize()];
    for (int i = 0; i < image.length; i++) {
      image[i] = (pixels[index * image.length + i] & 0xff) / 255f;
    }
    return RowFactory.create(image, (long) labels[index]);
  }
}
