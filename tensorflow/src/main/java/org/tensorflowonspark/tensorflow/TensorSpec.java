/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.TensorInfo;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Name, type and shape of a tensor. Printed and parsed as {@code image: float32[?,28,28]}.
 *
 * @param name as in a signature, or of a variable; not blank
 * @param dtype type of the elements
 * @param shape length of each dimension, {@link #UNKNOWN} where it is open; empty for a scalar;
 *     null when not even the rank is known (printed {@code float32[*]})
 */
public record TensorSpec(String name, DType dtype, @Nullable List<Long> shape) {
  /** A dimension whose length the model leaves open. */
  public static final long UNKNOWN = -1;

  public TensorSpec {
    if (name.isBlank()) {
      throw new IllegalArgumentException("A tensor needs a name");
    }
    if (shape != null) {
      shape = List.copyOf(shape);
      if (shape.stream().anyMatch(d -> d < UNKNOWN)) {
        throw new IllegalArgumentException("Illegal shape " + shape + " of '" + name + "'");
      }
    }
  }

  /** A spec of known rank; {@link #UNKNOWN} for open dimensions, none for a scalar. */
  public static TensorSpec of(String name, DType dtype, long... shape) {
    return new TensorSpec(name, dtype, java.util.Arrays.stream(shape).boxed().toList());
  }

  static TensorSpec of(String name, TensorInfo info, String where) {
    DType dtype = DType.of(info.getDtype(), where + " '" + name + "'");
    return new TensorSpec(name, dtype, shape(info.getTensorShape()));
  }

  static @Nullable List<Long> shape(TensorShapeProto shape) {
    return shape.getUnknownRank()
        ? null
        : shape.getDimList().stream().map(TensorShapeProto.Dim::getSize).toList();
  }

  /** Whether the rank is known. */
  public boolean hasRank() {
    return shape != null;
  }

  /** Whether every dimension is known. */
  public boolean isConcrete() {
    return shape != null && !shape.contains(UNKNOWN);
  }

  /** The shape as an array. Fails with IllegalStateException when the rank is unknown. */
  public long[] dims() {
    return known().stream().mapToLong(Long::longValue).toArray();
  }

  /** The shape of one row: without the leading dimension. Fails for a scalar. */
  public List<Long> rowShape() {
    List<Long> dims = known();
    if (dims.isEmpty()) {
      throw new IllegalStateException("'" + this + "' is a scalar and has no rows");
    }
    return dims.subList(1, dims.size());
  }

  /** Number of elements; only of a {@linkplain #isConcrete concrete} shape. */
  public long elements() {
    return product(known());
  }

  /** Bytes of all elements; only of a concrete shape and a fixed width. */
  public long byteSize() {
    return Math.multiplyExact(elements(), dtype.bytes());
  }

  /** Whether a tensor of {@code other}'s shape may stand here: equal where both are known. */
  public boolean accepts(List<Long> other) {
    List<Long> own = shape;
    if (own == null) {
      return true;
    }
    if (own.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < own.size(); i++) {
      if (own.get(i) >= 0 && other.get(i) >= 0 && !own.get(i).equals(other.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The same tensor under another name. */
  public TensorSpec named(String newName) {
    return new TensorSpec(newName, dtype, shape);
  }

  /** The same tensor with another shape. */
  public TensorSpec shaped(long... newShape) {
    return of(name, dtype, newShape);
  }

  private List<Long> known() {
    if (shape == null) {
      throw new IllegalStateException("The rank of '" + this + "' is unknown");
    }
    return shape;
  }

  static long product(List<Long> dims) {
    long product = 1;
    for (long dim : dims) {
      if (dim < 0) {
        throw new IllegalStateException("The shape " + dims + " has an open dimension");
      }
      product = Math.multiplyExact(product, dim);
    }
    return product;
  }

  @Override
  public String toString() {
    String dims =
        shape == null
            ? "*"
            : shape.stream().map(d -> d < 0 ? "?" : d.toString()).collect(Collectors.joining(","));
    return name + ": " + dtype.text() + "[" + dims + "]";
  }

  /**
   * Reads what {@link #toString} prints.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static TensorSpec parse(String text) {
    int colon = text.lastIndexOf(": ");
    int bracket = text.indexOf('[', colon + 1);
    if (colon <= 0 || bracket < 0 || !text.endsWith("]")) {
      throw new IllegalArgumentException("'" + text + "' is not written as name: float32[?,28,28]");
    }
    String dims = text.substring(bracket + 1, text.length() - 1).trim();
    List<Long> shape = dims.equals("*") ? null : new ArrayList<>();
    if (shape != null && !dims.isEmpty()) {
      for (String dim : dims.split(",", -1)) {
        shape.add(dim.trim().equals("?") ? UNKNOWN : Long.parseLong(dim.trim()));
      }
    }
    return new TensorSpec(
        text.substring(0, colon), DType.parse(text.substring(colon + 2, bracket).trim()), shape);
  }
}
