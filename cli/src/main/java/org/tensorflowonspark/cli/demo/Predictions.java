/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.ServedModel;
import org.tensorflowonspark.tensorflow.TensorList;

/** Predicts digits with an exported SavedModel on the executors of this machine. */
final class Predictions {
  private static final int BATCH = 256;

  private Predictions() {}

  /** The label and the predicted digit of each image. */
  static Dataset<Row> of(Dataset<Row> images, String savedModel) {
    StructType schema =
        new StructType()
            .add("label", DataTypes.LongType, false)
            .add("prediction", DataTypes.LongType, false);
    MapPartitionsFunction<Row, Row> predict = rows -> predict(rows, savedModel);
    return images.select("image", "label").mapPartitions(predict, Encoders.row(schema));
  }

  private static Iterator<Row> predict(Iterator<Row> rows, String savedModel) {
    List<Row> answers = new ArrayList<>();
    try (ServedModel model =
            ServedModel.load(Path.of(savedModel), ModelOptions.defaults().withThreads(1, 0));
        Batch batch = Batch.allocate(model.servedInputs(), BATCH)) {
      List<Long> labels = new ArrayList<>();
      while (rows.hasNext()) {
        FloatBuffer pixels = batch.buffer(0).asFloatBuffer();
        labels.clear();
        while (rows.hasNext() && labels.size() < BATCH) {
          Row row = rows.next();
          for (float pixel : row.<Float>getList(0)) {
            pixels.put(pixel);
          }
          labels.add(row.getLong(1));
        }
        batch.setRows(labels.size());
        try (TensorList outputs = model.predict(batch)) {
          ByteBuffer scores = outputs.buffer(0);
          for (long label : labels) {
            answers.add(RowFactory.create(label, best(scores)));
          }
        }
      }
    }
    return answers.iterator();
  }

  private static long best(ByteBuffer scores) {
    int best = 0;
    float bestScore = Float.NEGATIVE_INFINITY;
    for (int digit = 0; digit < 10; digit++) {
      float score = scores.getFloat();
      if (score > bestScore) {
        best = digit;
        bestScore = score;
      }
    }
    return best;
  }
}
