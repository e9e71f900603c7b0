/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.shim.NativeTensor;

/**
 * The rows of one step, column by column in native memory, made once and filled again for each
 * step. A full batch and a partial one are the same memory, only shown to TensorFlow with another
 * number of rows, so nothing is allocated in a step.
 *
 * <p>To fill: ask each column for its {@link #buffer(int)} (again for every batch: memory may have
 * moved), copy rows to {@code row * rowBytes}, then {@link #setRows}. A column {@code row_weights}
 * of float32 is always there and filled with ones at the start.
 *
 * <p>For one thread at a time; whoever allocated it closes it, and no buffer may be touched
 * afterwards.
 */
public final class Batch implements AutoCloseable {
  /** Name of the column that holds the weight of each row. */
  public static final String ROW_WEIGHTS = "row_weights";

  private final int capacity;
  private final List<TensorSpec> specs;
  private final Map<String, Integer> positions = new LinkedHashMap<>();
  private final List<Column> columns = new ArrayList<>();
  private final Column weights;
  private boolean weightsTouched;
  private int rows;

  private Batch(List<TensorSpec> specs, int capacity) {
    this.specs = List.copyOf(specs);
    this.capacity = capacity;
    try {
      for (TensorSpec spec : specs) {
        if (spec.name().equals(ROW_WEIGHTS) || positions.put(spec.name(), columns.size()) != null) {
          throw new TfosException(
              ModelError.BATCH_MISMATCH,
              "Column '" + spec.name() + "' is there twice",
              "Name each column once; row_weights is added by itself.");
        }
        columns.add(new Column(spec, capacity));
      }
      weights = new Column(TensorSpec.of(ROW_WEIGHTS, DType.FLOAT32, -1), capacity);
      positions.put(ROW_WEIGHTS, columns.size());
      columns.add(weights);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    resetRowWeights();
    setRows(0);
  }

  /**
   * Allocates native memory for {@code capacity} rows of each column; of a column whose row shape
   * is open, when {@link #setRowShape} is called.
   *
   * @param specs columns with a leading dimension for rows, without {@code row_weights}
   * @param capacity the most rows it can hold, at least 1
   */
  public static Batch allocate(List<TensorSpec> specs, int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("A batch for " + capacity + " rows: give it 1 or more");
    }
    return new Batch(specs, capacity);
  }

  /** The most rows it can hold. */
  public int capacity() {
    return capacity;
  }

  /** Rows it holds. */
  public int rows() {
    return rows;
  }

  /** Says how many rows have been filled, from 0 to {@link #capacity}. */
  public void setRows(int count) {
    if (count < 0 || count > capacity) {
      throw new IllegalArgumentException(count + " rows in a batch for " + capacity);
    }
    for (Column column : columns) {
      column.setRows(count);
    }
    rows = count;
  }

  /** The sum of the row weights, which is the number of rows unless somebody wrote others. */
  public double weight() {
    if (!weightsTouched) {
      return rows;
    }
    ByteBuffer memory = weights.buffer();
    double sum = 0;
    for (int i = 0; i < rows; i++) {
      sum += memory.getFloat(i * Float.BYTES);
    }
    return sum;
  }

  /** The columns as declared, without {@code row_weights}. */
  public List<TensorSpec> columns() {
    return specs;
  }

  /**
   * Position of a column, for the methods that take one; {@code row_weights} is the last.
   *
   * @throws TfosException if there is none of that name
   */
  public int column(String name) {
    Integer position = positions.get(name);
    if (position == null) {
      throw new TfosException(
          ModelError.BATCH_MISMATCH,
          "The batch has no column '" + name + "'",
          "It has " + positions.keySet() + ".");
    }
    return position;
  }

  /** Whether there is a column of that name. */
  public boolean has(String name) {
    return positions.containsKey(name);
  }

  /** Type and shape of a column as it will be fed: with the present number of rows. */
  public TensorSpec spec(int column) {
    return columns.get(column).spec(rows);
  }

  /** Bytes of one row of a column of fixed width. */
  public int rowBytes(int column) {
    return columns.get(column).rowBytes();
  }

  /**
   * The memory of a column of fixed width, for all {@link #capacity} rows: direct, in native order,
   * row-major. It is one object whose position and limit are free to use.
   */
  public ByteBuffer buffer(int column) {
    Column found = columns.get(column);
    weightsTouched |= found == weights;
    ByteBuffer memory = found.window();
    // Memory made for longer rows may be larger than this batch needs.
    return memory.clear().limit(Math.multiplyExact(found.rowBytes(), capacity));
  }

  /** As {@link #buffer(int)}, by name. */
  public ByteBuffer buffer(String name) {
    return buffer(column(name));
  }

  /**
   * Sets the shape that the rows of this batch have, for a column whose shape the model leaves
   * open. Content is lost. Memory is allocated only if this is the largest so far.
   */
  public void setRowShape(int column, long... shape) {
    Column found = columns.get(column);
    found.setRowShape(LongStream.of(shape).boxed().toList());
    found.setRows(rows);
  }

  /**
   * Sets consecutive strings of a string column, byte for byte.
   *
   * @param first number of the first one, counted in row-major order (the row, when a row is one
   *     string)
   * @param offsets where each begins in {@code data}, and where the last one ends
   */
  public void setStrings(int column, int first, byte[] data, int[] offsets) {
    Column found = columns.get(column);
    for (int i = 0; i + 1 < offsets.length; i++) {
      found.setString(first + i, data, offsets[i], offsets[i + 1] - offsets[i]);
    }
  }

  /** Sets one string of a string column, counted in row-major order, byte for byte. */
  public void setString(int column, int element, byte[] data, int offset, int length) {
    columns.get(column).setString(element, data, offset, length);
  }

  /** Fills the row weights with ones again. */
  public void resetRowWeights() {
    ByteBuffer memory = weights.buffer();
    for (int i = 0; i < capacity; i++) {
      memory.putFloat(i * Float.BYTES, 1f);
    }
    weightsTouched = false;
  }

  /**
   * Fills a column from an array, row-major from its first row: the short way for programs that
   * hold arrays anyway.
   *
   * @param values {@code float[]}, {@code double[]}, {@code int[]}, {@code long[]}, {@code
   *     short[]}, {@code byte[]} or {@code boolean[]} of the column's width and kind; {@code
   *     byte[][]} or {@code String[]} (UTF-8) for strings
   */
  public void put(String name, Object values) {
    int column = column(name);
    Column found = columns.get(column);
    if (values instanceof byte[][] strings) {
      for (int i = 0; i < strings.length; i++) {
        found.setString(i, strings[i], 0, strings[i].length);
      }
    } else if (values instanceof String[] texts) {
      for (int i = 0; i < texts.length; i++) {
        byte[] bytes = texts[i].getBytes(java.nio.charset.StandardCharsets.UTF_8);
        found.setString(i, bytes, 0, bytes.length);
      }
    } else {
      ArrayValues.put(
          found.spec(), buffer(column).duplicate().order(ByteOrder.nativeOrder()), values);
    }
  }

  /** What is fed for a column: its tensor with the present number of rows. */
  NativeTensor tensor(int column) {
    return columns.get(column).tensor();
  }

  /** After a run: makes sure that the graph keeps nothing of the given columns. */
  void releaseKept(int[] fed) {
    for (int column : fed) {
      columns.get(column).releaseIfKept();
    }
  }

  /** The given columns' positions, checked against what a signature takes. */
  int[] positions(List<TensorSpec> wanted) {
    int[] found = new int[wanted.size()];
    for (int i = 0; i < found.length; i++) {
      TensorSpec want = wanted.get(i);
      found[i] = column(want.name());
      TensorSpec have = columns.get(found[i]).spec();
      if (have.dtype() != want.dtype() || !want.accepts(Objects.requireNonNull(have.shape()))) {
        throw new TfosException(
            ModelError.BATCH_MISMATCH,
            "The model takes " + want + " but the batch has " + have,
            "Make the batch from the model's signature, or convert the column.");
      }
    }
    return found;
  }

  @Override
  public void close() {
    columns.forEach(Column::close);
  }
}
