/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.tensorflow.DType;

/** Constant elements: reading them from text and filling memory with them. */
final class Constants {
  private Constants() {}

  /** The element's bytes, or null when the text is no value of the type. */
  static byte @Nullable [] parse(DType dtype, String text) {
    ByteBuffer bytes = ByteBuffer.allocate(dtype.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    try {
      switch (dtype) {
        case FLOAT32 -> bytes.putFloat(Float.parseFloat(text));
        case FLOAT64 -> bytes.putDouble(Double.parseDouble(text));
        case INT64 -> bytes.putLong(Long.parseLong(text));
        case INT32 -> bytes.putInt(Integer.parseInt(text));
        case UINT64 -> bytes.putLong(Long.parseUnsignedLong(text));
        case UINT32 -> bytes.putInt(Integer.parseUnsignedInt(text));
        case UINT16 -> {
          int value = Integer.parseInt(text);
          if (value < 0 || value > 0xFFFF) {
            return null;
          }
          bytes.putShort((short) value);
        }
        case INT16 -> bytes.putShort(Short.parseShort(text));
        case INT8 -> bytes.put(Byte.parseByte(text));
        case UINT8 -> {
          int value = Integer.parseInt(text);
          if (value < 0 || value > 255) {
            return null;
          }
          bytes.put((byte) value);
        }
        case BOOL -> {
          if (!text.equals("true") && !text.equals("false")) {
            return null;
          }
          bytes.put((byte) (text.equals("true") ? 1 : 0));
        }
        case FLOAT16, BFLOAT16 -> {
          return null;
        }
        case STRING -> {
          return text.getBytes(StandardCharsets.UTF_8);
        }
      }
    } catch (NumberFormatException e) {
      return null;
    }
    return bytes.array();
  }

  /** Repeats an element over a range of bytes, a multiple of its size. */
  static void fill(byte[] memory, int at, int length, byte[] element) {
    if (length == 0) {
      return;
    }
    if (allEqual(element)) {
      Arrays.fill(memory, at, at + length, element[0]);
      return;
    }
    System.arraycopy(element, 0, memory, at, element.length);
    int done = element.length;
    while (done < length) {
      int more = Math.min(done, length - done);
      System.arraycopy(memory, at, memory, at + done, more);
      done += more;
    }
  }

  private static boolean allEqual(byte[] element) {
    for (byte b : element) {
      if (b != element[0]) {
        return false;
      }
    }
    return true;
  }
}
