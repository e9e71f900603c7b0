/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.shim.NativeStrings;
import org.tensorflowonspark.tensorflow.shim.NativeTensor;

/**
 * One column of a batch: memory for all its rows, shown to TensorFlow with as many as there are.
 */
final class Column implements AutoCloseable {
  private final TensorSpec spec;
  private final int capacity;
  private List<Long> rowShape;
  private long rowElements;
  private long roomBytes;
  private int rows;
  private @Nullable NativeTensor tensor;
  private @Nullable ByteBuffer window;

  Column(TensorSpec spec, int capacity) {
    this.spec = spec;
    this.capacity = capacity;
    this.rowShape = rowShape(spec, capacity);
    if (!rowShape.contains(TensorSpec.UNKNOWN)) {
      makeRoom();
    }
  }

  private static List<Long> rowShape(TensorSpec spec, int capacity) {
    List<Long> shape = spec.shape();
    if (shape == null || shape.isEmpty()) {
      throw new TfosException(
          ModelError.BATCH_MISMATCH,
          "Column " + spec + " has no dimension for rows",
          "Give the input a first dimension of unknown length when the model is exported.");
    }
    if (shape.get(0) >= 0 && shape.get(0) != capacity) {
      throw new TfosException(
          ModelError.BATCH_MISMATCH,
          "Column " + spec + " takes exactly " + shape.get(0) + " rows, not up to " + capacity,
          "Set the batch size to it, or export the model with a first dimension of unknown length.");
    }
    return spec.rowShape();
  }

  TensorSpec spec() {
    return spec;
  }

  /** The column as it is fed with {@code rows} rows. */
  TensorSpec spec(int rows) {
    long[] dims = new long[rowShape.size() + 1];
    dims[0] = rows;
    for (int i = 0; i < rowShape.size(); i++) {
      dims[i + 1] = rowShape.get(i);
    }
    return spec.shaped(dims);
  }

  long rowElements() {
    return rowElements;
  }

  int rowBytes() {
    return Math.toIntExact(rowElements * spec.dtype().bytes());
  }

  void setRowShape(List<Long> shape) {
    if (shape.equals(rowShape) && tensor != null) {
      return;
    }
    TensorSpec row = new TensorSpec(spec.name(), spec.dtype(), spec.rowShape());
    if (shape.contains(TensorSpec.UNKNOWN) || !row.accepts(shape)) {
      throw new TfosException(
          ModelError.BATCH_MISMATCH,
          "Rows of the shape " + shape + " do not fit column " + spec,
          "Give every row of a batch one shape that the model takes.");
    }
    rowShape = List.copyOf(shape);
    makeRoom();
  }

  private void makeRoom() {
    rowElements = TensorSpec.product(rowShape);
    TensorSpec full = spec(capacity);
    long width = spec.dtype().isFixedWidth() ? spec.dtype().bytes() : 1;
    long needed = Math.multiplyExact(full.elements(), width);
    if (tensor == null || needed > roomBytes) {
      NativeTensor larger = Tensors.allocate(full);
      close();
      tensor = larger;
      roomBytes = needed;
    }
  }

  /** How many rows the model insists on, or -1. */
  private long fixedRows() {
    List<Long> shape = spec.shape();
    return shape == null ? TensorSpec.UNKNOWN : shape.get(0);
  }

  NativeTensor tensor() {
    if (fixedRows() > 0 && rows == 0) {
      throw new TfosException(
          ModelError.BATCH_MISMATCH,
          "Column " + spec + " takes exactly " + fixedRows() + " rows but the batch is empty",
          "Fill the batch and call setRows.");
    }
    return memory();
  }

  private NativeTensor memory() {
    if (tensor == null) {
      throw new TfosException(
          ModelError.BATCH_MISMATCH,
          "The shape of the rows of column " + spec + " is open, or the batch is closed",
          "Call setRowShape with the shape that the rows of this batch have.");
    }
    return tensor;
  }

  void setRows(int count) {
    if (fixedRows() >= 0 && count > 0 && count != fixedRows()) {
      throw new TfosException(
          ModelError.BATCH_MISMATCH,
          "Column " + spec + " takes exactly " + fixedRows() + " rows, not " + count,
          "Export the model with a first dimension of unknown length.");
    }
    rows = count;
    if (tensor != null && (count > 0 || fixedRows() < 0)) {
      tensor.reshape(spec(count).dims());
    }
  }

  /** The memory as callers get it: a view of its own, so that their position never is ours. */
  ByteBuffer window() {
    if (window == null) {
      window = buffer().duplicate().order(ByteOrder.nativeOrder());
    }
    return window;
  }

  ByteBuffer buffer() {
    if (!spec.dtype().isFixedWidth()) {
      throw new TfosException(
          ModelError.BATCH_MISMATCH,
          "Column " + spec + " has no buffer",
          "Set its strings with setStrings or setString.");
    }
    return memory().buffer();
  }

  void setString(int element, byte[] data, int offset, int length) {
    Tensors.requireString(spec);
    NativeStrings.put(memory(), element, data, offset, length);
  }

  /**
   * Moves to fresh memory if the graph has kept what it was fed, so that the next batch does not
   * change it behind its back.
   */
  void releaseIfKept() {
    NativeTensor current = tensor;
    if (current == null || current.exclusive()) {
      return;
    }
    tensor = null;
    window = null;
    roomBytes = 0;
    try (current) {
      makeRoom();
      NativeTensor fresh = memory();
      if (spec.dtype().isFixedWidth()) {
        ByteBuffer content = current.buffer().duplicate().clear();
        fresh.buffer().duplicate().clear().put(content.limit(capacity * rowBytes()));
      } else {
        NativeStrings.copy(current, fresh, (int) (rows * rowElements));
      }
      setRows(rows);
    }
  }

  @Override
  public void close() {
    NativeTensor own = tensor;
    tensor = null;
    window = null;
    if (own != null) {
      own.close();
    }
  }
}
