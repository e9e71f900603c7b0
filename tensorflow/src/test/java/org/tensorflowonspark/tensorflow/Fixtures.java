/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Models exported from Python and {@code expected.json}: batches, and what Python made of them. */
final class Fixtures {
  static final Path MODELS = Path.of("src", "test", "resources", "models").toAbsolutePath();
  static final ModelOptions OPTIONS = ModelOptions.defaults().withThreads(1, 1);

  private static final Map<String, Object> EXPECTED = read();

  private Fixtures() {}

  static Path path(String model) {
    return MODELS.resolve(model);
  }

  static TrainableModel load(String model) {
    return TrainableModel.load(path(model), OPTIONS);
  }

  static Map<String, Object> expected(String model) {
    return map(EXPECTED.get(model));
  }

  /** Numbers that Python computed, flat. */
  static double[] numbers(@Nullable Object value) {
    if (value instanceof Double d) {
      return new double[] {d};
    }
    return ((List<?>) Objects.requireNonNull(value))
        .stream().mapToDouble(v -> ((Number) Objects.requireNonNull(v)).doubleValue()).toArray();
  }

  /** The batch of a model, with its row weights. */
  static Batch batch(TrainableModel model, String name) {
    Map<String, Object> columns = map(expected(name).get("batch"));
    int rows = (int) numbers(map(columns.get("row_weights")).get("shape"))[0];
    Batch batch = model.newBatch(rows);
    columns.forEach((column, value) -> fill(batch, column, map(value)));
    batch.setRows(rows);
    return batch;
  }

  private static void fill(Batch batch, String name, Map<String, Object> value) {
    int column = batch.column(name);
    long[] shape = new long[numbers(value.get("shape")).length];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = (long) numbers(value.get("shape"))[i];
    }
    if (!name.equals(Batch.ROW_WEIGHTS)) {
      batch.setRowShape(column, java.util.Arrays.copyOfRange(shape, 1, shape.length));
    }
    DType type = DType.parse((String) Objects.requireNonNull(value.get("dtype")));
    if (type == DType.STRING) {
      batch.put(
          name, ((List<?>) Objects.requireNonNull(value.get("values"))).toArray(String[]::new));
      return;
    }
    ByteBuffer memory = batch.buffer(column);
    for (double v : numbers(value.get("values"))) {
      switch (type) {
        case FLOAT32 -> memory.putFloat((float) v);
        case FLOAT64 -> memory.putDouble(v);
        case INT32 -> memory.putInt((int) v);
        case INT64 -> memory.putLong((long) v);
        default -> throw new IllegalArgumentException("No fixture has " + type);
      }
    }
  }

  /** A gradient as doubles. */
  static double[] doubles(Gradients gradients, int index) {
    TensorSpec spec = gradients.spec(index);
    double[] values = new double[(int) spec.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = spec.dtype().toDouble(gradients.buffer(index), i);
    }
    return values;
  }

  @SuppressWarnings("unchecked") // objects of JSON are maps by text
  static Map<String, Object> map(@Nullable Object value) {
    return (Map<String, Object>) Objects.requireNonNull(value);
  }

  private static Map<String, Object> read() {
    try {
      return map(Json.parse(Files.readString(MODELS.resolve("expected.json"))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
