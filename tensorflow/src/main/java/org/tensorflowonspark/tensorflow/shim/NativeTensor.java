/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow.shim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.internal.c_api.global.tensorflow;

/**
 * A tensor in TensorFlow's memory. Its memory is counted by TensorFlow: closing gives back this
 * reference, and the memory goes when nobody in a graph refers to it any more. Not thread-safe.
 */
public final class NativeTensor implements AutoCloseable {
  private @Nullable TF_Tensor handle;
  private final long capacity;
  private long @Nullable [] shape;
  private @Nullable ByteBuffer buffer;

  NativeTensor(TF_Tensor handle) {
    this.handle = handle;
    this.capacity = -1;
  }

  private NativeTensor(TF_Tensor handle, long capacity, long[] shape) {
    this.handle = handle;
    this.capacity = capacity;
    this.shape = shape;
  }

  /**
   * Memory for {@code shape}, aligned as TensorFlow likes it and not zeroed.
   *
   * @param dtype number of the {@code DataType}, of fixed width
   * @param bytes size of the memory
   */
  public static NativeTensor allocate(int dtype, long[] shape, long bytes) {
    TF_Tensor handle = tensorflow.TF_AllocateTensor(dtype, shape, shape.length, bytes);
    if (handle == null || handle.isNull()) {
      throw new NativeException(8, "no memory for a tensor of " + bytes + " bytes");
    }
    return new NativeTensor(handle, bytes, shape.clone());
  }

  static NativeTensor of(TF_Tensor handle, long bytes, long[] shape) {
    return new NativeTensor(handle, bytes, shape.clone());
  }

  TF_Tensor handle() {
    if (handle == null) {
      throw new IllegalStateException("This tensor is closed");
    }
    return handle;
  }

  long address() {
    return handle().address();
  }

  /** Number of the {@code DataType}. */
  public int dtype() {
    return tensorflow.TF_TensorType(handle());
  }

  /** The present shape; a copy. */
  public long[] shape() {
    if (shape == null) {
      long[] dims = new long[tensorflow.TF_NumDims(handle())];
      for (int i = 0; i < dims.length; i++) {
        dims[i] = tensorflow.TF_Dim(handle(), i);
      }
      shape = dims;
    }
    return shape.clone();
  }

  /** Another shape over the same memory, which must be large enough for it. */
  public void reshape(long... newShape) {
    if (!java.util.Arrays.equals(shape, newShape)) {
      tensorflow.TF_SetShape(handle(), newShape, newShape.length);
      shape = newShape.clone();
    }
  }

  /** Bytes of the memory, at least what the present shape needs. */
  public long bytes() {
    return capacity >= 0 ? capacity : tensorflow.TF_TensorByteSize(handle());
  }

  Pointer data() {
    return tensorflow.TF_TensorData(handle());
  }

  /** The memory, in native byte order; always the same object, whose position is the caller's. */
  public ByteBuffer buffer() {
    if (buffer == null) {
      long bytes = bytes();
      if (bytes > Integer.MAX_VALUE) {
        throw new NativeException(
            8, "a tensor of " + bytes + " bytes is larger than a buffer of 2 GB");
      }
      Pointer data = bytes == 0 ? null : data();
      ByteBuffer raw =
          data == null || data.isNull()
              ? ByteBuffer.allocateDirect(0)
              : data.capacity(bytes).asByteBuffer();
      buffer = raw.order(ByteOrder.nativeOrder());
    }
    return buffer;
  }

  /**
   * Whether nobody else refers to this memory. A fetched tensor may share it with a variable, a
   * constant of the graph or another output, and a fed one may have been kept by the graph; whoever
   * writes in place must ask first.
   */
  public boolean exclusive() {
    TF_Tensor own = tensorflow.TF_TensorMaybeMove(handle());
    return own != null && !own.isNull();
  }

  /** A copy in memory of its own; of fixed width only. */
  public NativeTensor copy() {
    long bytes = bytes();
    NativeTensor copy = allocate(dtype(), shape(), bytes);
    if (bytes > 0) {
      Pointer.memcpy(copy.data(), data(), bytes);
    }
    return copy;
  }

  /** Fills the memory with zero bytes; of fixed width only. */
  public void zero() {
    long bytes = bytes();
    if (bytes > 0) {
      Pointer.memset(data(), 0, bytes);
    }
  }

  @Override
  public void close() {
    TF_Tensor own = handle;
    handle = null;
    buffer = null;
    if (own != null) {
      tensorflow.TF_DeleteTensor(own);
    }
  }
}
