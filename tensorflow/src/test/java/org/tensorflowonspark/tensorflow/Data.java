/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.nio.ByteBuffer;
import java.util.Random;

/** Seeded rows for any fixture, from which its label can be learned. */
final class Data {
  private static final String[] COLOURS = {"red", "green", "blue", "something quite different"};

  private Data() {}

  static Batch batch(TrainableModel model, int capacity, int rows, long seed) {
    Batch batch = model.newBatch(capacity);
    fill(model, batch, rows, seed);
    return batch;
  }

  static void fill(TrainableModel model, Batch batch, int rows, long seed) {
    Random random = new Random(seed);
    int[] classes = new int[rows];
    for (int i = 0; i < rows; i++) {
      classes[i] = random.nextInt(2);
    }
    for (TensorSpec spec : model.signature().features()) {
      feature(batch, spec, classes, random);
    }
    for (TensorSpec spec : model.signature().labels()) {
      ByteBuffer memory = batch.buffer(spec.name());
      for (int c : classes) {
        put(memory, spec.dtype(), c);
      }
    }
    batch.setRows(rows);
  }

  private static void feature(Batch batch, TensorSpec spec, int[] classes, Random random) {
    int column = batch.column(spec.name());
    long[] rowShape = spec.rowShape().stream().mapToLong(d -> d < 0 ? 3 : d).toArray();
    batch.setRowShape(column, rowShape);
    int elements = 1;
    for (long d : rowShape) {
      elements *= (int) d;
    }
    for (int row = 0; row < classes.length; row++) {
      for (int i = 0; i < elements; i++) {
        if (spec.dtype() == DType.STRING) {
          byte[] text = COLOURS[2 * classes[row] + random.nextInt(2)].getBytes(US_ASCII);
          batch.setString(column, row * elements + i, text, 0, text.length);
        } else if (spec.dtype().isFloating()) {
          put(
              batch.buffer(column).position((row * elements + i) * spec.dtype().bytes()),
              spec.dtype(),
              classes[row] - 0.5 + 0.3 * random.nextGaussian());
        } else {
          put(
              batch.buffer(column).position((row * elements + i) * spec.dtype().bytes()),
              spec.dtype(),
              2 * classes[row] + random.nextInt(2));
        }
      }
    }
  }

  private static final java.nio.charset.Charset US_ASCII =
      java.nio.charset.StandardCharsets.US_ASCII;

  private static void put(ByteBuffer memory, DType type, double v) {
    switch (type) {
      case FLOAT32 -> memory.putFloat((float) v);
      case FLOAT64 -> memory.putDouble(v);
      case INT32 -> memory.putInt((int) v);
      case INT64 -> memory.putLong((long) v);
      default -> throw new IllegalArgumentException("No fixture has " + type);
    }
  }
}
