/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.examples;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** MNIST's files as a DataFrame, for the examples: read on the driver, sent as bytes. */
final class Mnist {
  private static final int PIXELS = 28 * 28;
  private static final StructType SCHEMA =
      new StructType()
          .add("image", DataTypes.createArrayType(DataTypes.FloatType, false), false)
          .add("label", DataTypes.LongType, false);

  private Mnist() {}

  /**
   * Images with values from 0 to 1 and their labels.
   *
   * @param folder where the gzip IDX files are, such as {@code examples/data/mnist}
   * @param part {@code train} or {@code t10k}
   * @param limit how many images at most
   */
  static Dataset<Row> read(SparkSession spark, Path folder, String part, int limit)
      throws IOException {
    List<byte[]> images = new ArrayList<>();
    try (DataInputStream pixels = open(folder.resolve(part + "-images-idx3-ubyte.gz"), 16);
        DataInputStream labels = open(folder.resolve(part + "-labels-idx1-ubyte.gz"), 8)) {
      int label = labels.read();
      while (label >= 0 && images.size() < limit) {
        byte[] image = new byte[PIXELS + 1];
        image[PIXELS] = (byte) label;
        pixels.readFully(image, 0, PIXELS);
        images.add(image);
        label = labels.read();
      }
    }
    JavaRDD<Row> rows =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(images, 16)
            .map(Mnist::row);
    return spark.createDataFrame(rows, SCHEMA);
  }

  private static DataInputStream open(Path file, int header) throws IOException {
    DataInputStream in = new DataInputStream(new GZIPInputStream(Files.newInputStream(file)));
    in.readFully(new byte[header]);
    return in;
  }

  private static Row row(byte[] bytes) {
    float[] image = new float[PIXELS];
    for (int i = 0; i < PIXELS; i++) {
      image[i] = (bytes[i] & 0xff) / 255f;
    }
    return RowFactory.create(image, (long) bytes[PIXELS]);
  }
}
