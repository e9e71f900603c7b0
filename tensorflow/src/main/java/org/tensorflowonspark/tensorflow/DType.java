/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.TBfloat16;
import org.tensorflow.types.TBool;
import org.tensorflow.types.TFloat16;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TFloat64;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;
import org.tensorflow.types.TUint16;
import org.tensorflow.types.TUint8;
import org.tensorflow.types.family.TType;
import org.tensorflowonspark.base.TfosException;

/** The type of a tensor's elements, named as in Python. Immutable. */
public enum DType {
  FLOAT32(DataType.DT_FLOAT, 4, TFloat32.class),
  FLOAT64(DataType.DT_DOUBLE, 8, TFloat64.class),
  FLOAT16(DataType.DT_HALF, 2, TFloat16.class),
  BFLOAT16(DataType.DT_BFLOAT16, 2, TBfloat16.class),
  INT8(DataType.DT_INT8, 1, null),
  INT16(DataType.DT_INT16, 2, null),
  INT32(DataType.DT_INT32, 4, TInt32.class),
  INT64(DataType.DT_INT64, 8, TInt64.class),
  UINT8(DataType.DT_UINT8, 1, TUint8.class),
  UINT16(DataType.DT_UINT16, 2, TUint16.class),
  UINT32(DataType.DT_UINT32, 4, null),
  UINT64(DataType.DT_UINT64, 8, null),
  BOOL(DataType.DT_BOOL, 1, TBool.class),
  /** Bytes of any length; has no fixed width. */
  STRING(DataType.DT_STRING, 0, TString.class);

  /** TensorFlow numbers the reference to a type so much higher. */
  private static final int REFERENCE = 100;

  private final DataType dataType;
  private final int bytes;
  private final @Nullable Class<? extends TType> javaType;

  DType(DataType dataType, int bytes, @Nullable Class<? extends TType> javaType) {
    this.dataType = dataType;
    this.bytes = bytes;
    this.javaType = javaType;
  }

  /** The name in Python and in {@code trainable.json}, such as {@code float32}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Bytes of one element; 0 for {@link #STRING}. */
  public int bytes() {
    return bytes;
  }

  /** Whether elements have a fixed width, so that memory can be copied as it is. */
  public boolean isFixedWidth() {
    return bytes > 0;
  }

  /** Whether it is one of the four floating-point types. */
  public boolean isFloating() {
    return this == FLOAT32 || this == FLOAT64 || this == FLOAT16 || this == BFLOAT16;
  }

  /** TensorFlow's own constant. */
  public DataType dataType() {
    return dataType;
  }

  /** TensorFlow Java's class, or null where it has none. */
  public @Nullable Class<? extends TType> javaType() {
    return javaType;
  }

  int number() {
    return dataType.getNumber();
  }

  /**
   * The type of TensorFlow's constant.
   *
   * @param where what has this type, for the message
   * @throws TfosException {@link ModelError#UNSUPPORTED_TYPE} for resources, variants, complex and
   *     quantised numbers
   */
  public static DType of(DataType dataType, String where) {
    // Java's variables are references to a tensor; what is fed and fetched is the tensor.
    boolean reference = dataType != DataType.UNRECOGNIZED && dataType.getNumber() > REFERENCE;
    DataType value = reference ? DataType.forNumber(dataType.getNumber() - REFERENCE) : dataType;
    for (DType type : values()) {
      if (type.dataType == value) {
        return type;
      }
    }
    throw new TfosException(
        ModelError.UNSUPPORTED_TYPE,
        where + " has the type " + dataType,
        "Cast it inside the model to one of "
            + java.util.Arrays.stream(values())
                .map(DType::text)
                .collect(java.util.stream.Collectors.joining(", "))
            + ".");
  }

  /**
   * The type of that name.
   *
   * @param text a name such as {@code float32}
   * @throws IllegalArgumentException if there is no such type
   */
  public static DType parse(String text) {
    for (DType type : values()) {
      if (type.text().equals(text)) {
        return type;
      }
    }
    throw new IllegalArgumentException("No data type '" + text + "'");
  }

  /** Element {@code index} of {@code memory} as a double; unsigned types as what they mean. */
  double toDouble(ByteBuffer memory, int index) {
    return switch (this) {
      case FLOAT32 -> memory.getFloat(index * 4);
      case FLOAT64 -> memory.getDouble(index * 8);
      case FLOAT16 -> halfToFloat(memory.getShort(index * 2));
      case BFLOAT16 -> Float.intBitsToFloat(memory.getShort(index * 2) << 16);
      case INT8 -> memory.get(index);
      case INT16 -> memory.getShort(index * 2);
      case INT32 -> memory.getInt(index * 4);
      case INT64 -> memory.getLong(index * 8);
      case UINT8 -> memory.get(index) & 0xff;
      case UINT16 -> memory.getShort(index * 2) & 0xffff;
      case UINT32 -> memory.getInt(index * 4) & 0xffffffffL;
      case UINT64 -> unsigned(memory.getLong(index * 8));
      case BOOL -> memory.get(index) == 0 ? 0 : 1;
      case STRING -> throw new IllegalArgumentException("A string is not a number");
    };
  }

  private static double unsigned(long bits) {
    return bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
  }

  private static double halfToFloat(short half) {
    int exponent = (half >> 10) & 0x1f;
    int mantissa = half & 0x3ff;
    double magnitude =
        switch (exponent) {
          case 0 -> mantissa * 0x1p-24;
          case 31 -> mantissa == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
          default -> Math.scalb(1 + mantissa * 0x1p-10, exponent - 15);
        };
    return half < 0 ? -magnitude : magnitude;
  }
}
