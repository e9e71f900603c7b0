/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow.shim;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.bytedeco.javacpp.BytePointer;
import org.tensorflow.internal.c_api.TF_Buffer;
import org.tensorflow.internal.c_api.TF_TString;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.internal.c_api.global.tensorflow;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * String tensors, byte for byte. A string of up to 22 bytes lies in the tensor; a longer one in
 * memory of its own, which only a tensor that TensorFlow itself made frees again. So that is how
 * they are made: {@code TF_AllocateTensor}, and all of TensorFlow Java's factories with it, leak
 * the long ones.
 */
public final class NativeStrings {
  private static final int FLOAT = 1;
  private static final int WIDTH = 24;
  private static final int INLINE = 22;

  private NativeStrings() {}

  /** A tensor of empty strings. */
  public static NativeTensor allocate(long... shape) {
    TensorShapeProto.Builder dims = TensorShapeProto.newBuilder();
    long elements = 1;
    for (long dim : shape) {
      dims.addDim(TensorShapeProto.Dim.newBuilder().setSize(dim));
      elements = Math.multiplyExact(elements, dim);
    }
    byte[] proto =
        TensorProto.newBuilder()
            .setDtype(DataType.DT_STRING)
            .setTensorShape(dims)
            .build()
            .toByteArray();
    TF_Tensor handle = tensorflow.TF_AllocateTensor(FLOAT, new long[0], 0, Float.BYTES);
    try (Status status = new Status();
        BytePointer bytes = new BytePointer(proto)) {
      TF_Buffer buffer = tensorflow.TF_NewBufferFromString(bytes, proto.length);
      tensorflow.TF_TensorFromProto(buffer, handle, status.handle());
      tensorflow.TF_DeleteBuffer(buffer);
      status.check();
    } catch (RuntimeException e) {
      tensorflow.TF_DeleteTensor(handle);
      throw e;
    }
    return NativeTensor.of(handle, Math.multiplyExact(elements, WIDTH), shape);
  }

  /** A scalar. */
  public static NativeTensor scalar(byte[] value) {
    NativeTensor tensor = allocate();
    put(tensor, 0, value, 0, value.length);
    return tensor;
  }

  /** Sets element {@code index}, counted in row-major order. */
  public static void put(NativeTensor tensor, int index, byte[] data, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, data.length);
    ByteBuffer memory = tensor.buffer();
    int at = Math.multiplyExact(Objects.checkIndex(index, memory.capacity() / WIDTH), WIDTH);
    if (length <= INLINE && (memory.get(at) & 3) == 0) {
      // Most strings are short: written without a native call. The size is shifted by the two bits
      // of the kind, kind 0 is inline, and a zero byte ends the text.
      memory.put(at, (byte) (length << 2));
      memory.put(at + 1, data, offset, length);
      memory.put(at + 1 + length, (byte) 0);
    } else {
      TF_TString slot = slot(tensor, index);
      BytePointer target = tensorflow.TF_TString_ResizeUninitialized(slot, length);
      target.put(data, offset, length);
    }
  }

  /** Copies the first {@code count} strings. */
  public static void copy(NativeTensor from, NativeTensor to, int count) {
    for (int i = 0; i < count; i++) {
      byte[] value = get(from, i);
      put(to, i, value, 0, value.length);
    }
  }

  /** Element {@code index}, counted in row-major order. */
  public static byte[] get(NativeTensor tensor, int index) {
    ByteBuffer memory = tensor.buffer();
    int at = Math.multiplyExact(Objects.checkIndex(index, memory.capacity() / WIDTH), WIDTH);
    if ((memory.get(at) & 3) == 0) {
      byte[] bytes = new byte[(memory.get(at) & 0xff) >> 2];
      memory.get(at + 1, bytes);
      return bytes;
    }
    TF_TString slot = slot(tensor, index);
    byte[] bytes = new byte[Math.toIntExact(tensorflow.TF_TString_GetSize(slot))];
    tensorflow.TF_TString_GetDataPointer(slot).get(bytes);
    return bytes;
  }

  private static TF_TString slot(NativeTensor tensor, int index) {
    return new TF_TString(tensor.data()).position(index);
  }
}
