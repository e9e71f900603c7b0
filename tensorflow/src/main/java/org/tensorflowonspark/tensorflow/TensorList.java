/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.shim.NativeStrings;
import org.tensorflowonspark.tensorflow.shim.NativeTensor;

/**
 * Named tensors in native memory: a prediction, or the values of variables. The memory is this
 * list's own: writing to it changes nothing else. For one thread at a time; whoever got it closes
 * it, and no buffer may be touched afterwards.
 */
public final class TensorList implements AutoCloseable {
  private final List<TensorSpec> specs;
  private final NativeTensor[] tensors;

  /** Takes the tensors over, and copies those whose memory somebody else refers to. */
  TensorList(List<TensorSpec> specs, NativeTensor[] tensors) {
    List<TensorSpec> concrete = new ArrayList<>(specs.size());
    for (int i = 0; i < tensors.length; i++) {
      TensorSpec spec = specs.get(i);
      concrete.add(spec.shaped(tensors[i].shape()));
      tensors[i] = Tensors.own(concrete.get(i), tensors[i]);
    }
    this.specs = List.copyOf(concrete);
    this.tensors = tensors;
  }

  /**
   * Memory to be filled, for instance with variables that come from another node. Not zeroed.
   *
   * @param specs of known shapes
   * @throws IllegalStateException if a shape has an open dimension
   */
  public static TensorList allocate(List<TensorSpec> specs) {
    NativeTensor[] tensors = new NativeTensor[specs.size()];
    try {
      for (int i = 0; i < tensors.length; i++) {
        tensors[i] = Tensors.allocate(specs.get(i));
      }
      return new TensorList(specs, tensors);
    } catch (RuntimeException e) {
      Tensors.closeAll(tensors);
      throw e;
    }
  }

  /** Number of tensors. */
  public int size() {
    return tensors.length;
  }

  /** Names, types and shapes, all known. */
  public List<TensorSpec> specs() {
    return specs;
  }

  /** Name, type and shape of tensor {@code index}. */
  public TensorSpec spec(int index) {
    return specs.get(index);
  }

  /**
   * The position of a tensor.
   *
   * @throws TfosException if there is none of that name
   */
  public int indexOf(String name) {
    for (int i = 0; i < specs.size(); i++) {
      if (specs.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new TfosException(
        ModelError.BATCH_MISMATCH,
        "There is no tensor '" + name + "'",
        "Take one of " + specs.stream().map(TensorSpec::name).toList() + ".");
  }

  /**
   * The memory of a tensor of fixed width: direct, in native order, writable, row-major; from 0 to
   * its size. Each call gives a view with a position of its own.
   */
  public ByteBuffer buffer(int index) {
    return Tensors.view(specs.get(index), tensors[index]);
  }

  /** As {@link #buffer(int)}, by name. */
  public ByteBuffer buffer(String name) {
    return buffer(indexOf(name));
  }

  /** Element {@code element} (row-major) of a string tensor, byte for byte. */
  public byte[] bytes(int index, int element) {
    Tensors.requireString(specs.get(index));
    return NativeStrings.get(tensors[index], element);
  }

  /** Sets element {@code element} (row-major) of a string tensor, byte for byte. */
  public void setBytes(int index, int element, byte[] value) {
    Tensors.requireString(specs.get(index));
    NativeStrings.put(tensors[index], element, value, 0, value.length);
  }

  /** All elements of a tensor of numbers as doubles, row-major; for looking at, not for speed. */
  public double[] doubles(int index) {
    ByteBuffer memory = buffer(index);
    double[] values = new double[Math.toIntExact(specs.get(index).elements())];
    for (int i = 0; i < values.length; i++) {
      values[i] = specs.get(index).dtype().toDouble(memory, i);
    }
    return values;
  }

  /** As {@link #doubles(int)}, by name. */
  public double[] doubles(String name) {
    return doubles(indexOf(name));
  }

  NativeTensor tensor(int index) {
    return tensors[index];
  }

  @Override
  public void close() {
    Tensors.closeAll(tensors);
  }
}
