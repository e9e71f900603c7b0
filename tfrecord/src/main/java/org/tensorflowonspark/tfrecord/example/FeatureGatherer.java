/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads features in any form that protobuf allows (values that are not packed, lists in pieces,
 * unknown fields between them) and gathers their values in a buffer, in the form that views read.
 */
final class FeatureGatherer {
  static final byte[] EMPTY = {};

  private FeatureKind kind = FeatureKind.NONE;
  private int count;
  private byte[] bytes = EMPTY;
  private int size;

  FeatureKind kind() {
    return kind;
  }

  int count() {
    return count;
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  /** Begins with the values that a feature has already, in the form that this class makes. */
  void begin(FeatureKind kind, int count, byte[] b, int from, int to) {
    this.count = count;
    if (kind == FeatureKind.ABSENT || kind == FeatureKind.NONE) {
      this.kind = FeatureKind.NONE;
      size = 0;
      return;
    }
    this.kind = kind;
    if (b != bytes) {
      size = 0;
      append(b, from, to);
    }
  }

  /**
   * Adds the fields of a Feature message. A list of another kind takes the place of the one before.
   *
   * @param depth messages around these fields
   */
  void merge(byte[] b, int from, int to, int depth) throws MalformedExampleException {
    int at = from;
    while (at < to) {
      long read = Wire.tag(b, at, to);
      at = Wire.next(read);
      FeatureKind next = kindOf(Wire.value(read));
      if (next == null) {
        at = Wire.skip(b, Wire.value(read), at, to, depth);
        continue;
      }
      if (next != kind) {
        kind = next;
        count = 0;
        size = 0;
      }
      long list = Wire.span(b, at, to);
      at = Wire.value(list);
      mergeList(b, Wire.next(list), at, depth + 1);
    }
  }

  private static @Nullable FeatureKind kindOf(int tag) {
    return switch (tag) {
      case Wire.FIELD_1 -> FeatureKind.BYTES;
      case Wire.FIELD_2 -> FeatureKind.FLOAT;
      case Wire.FIELD_3 -> FeatureKind.INT64;
      default -> null;
    };
  }

  private void mergeList(byte[] b, int from, int to, int depth) throws MalformedExampleException {
    int at = from;
    while (at < to) {
      long read = Wire.tag(b, at, to);
      at = Wire.next(read);
      int tag = Wire.value(read);
      if (tag == Wire.FIELD_1) {
        long span = Wire.span(b, at, to);
        at = Wire.value(span);
        addRun(b, Wire.next(span), at);
      } else if (tag == Wire.UNPACKED_FLOAT && kind == FeatureKind.FLOAT) {
        int behind = Wire.skipFixed(at, to, Float.BYTES);
        append(b, at, behind);
        count++;
        at = behind;
      } else if (tag == Wire.UNPACKED_LONG && kind == FeatureKind.INT64) {
        int behind = Wire.skipVarint(b, at, to);
        append(b, at, behind);
        count++;
        at = behind;
      } else {
        at = Wire.skip(b, tag, at, to, depth);
      }
    }
  }

  /** Adds one value of BYTES, or a packed run of the others. */
  private void addRun(byte[] b, int from, int to) throws MalformedExampleException {
    int values = 1;
    if (kind == FeatureKind.FLOAT) {
      if ((to - from) % Float.BYTES != 0) {
        throw new MalformedExampleException("packed floats of " + (to - from) + " bytes");
      }
      values = (to - from) / Float.BYTES;
    } else if (kind == FeatureKind.INT64) {
      values = Wire.countVarints(b, from, to);
      if (values < 0) {
        throw new MalformedExampleException(
            "packed integers with a varint that is cut or too long");
      }
    } else {
      room(6);
      bytes[size++] = Wire.FIELD_1;
      size = Wire.putVarint(bytes, size, to - from);
    }
    append(b, from, to);
    count += values;
  }

  private void append(byte[] b, int from, int to) {
    room(to - from);
    System.arraycopy(b, from, bytes, size, to - from);
    size += to - from;
  }

  private void room(int more) {
    if (more > bytes.length - size) {
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.min(Integer.MAX_VALUE - 16L, (size + (long) more) * 2 + 16));
    }
  }
}
