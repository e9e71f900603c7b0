/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Copies floats out of and into arrays of bytes, many at once, without new objects each time. */
final class FloatRun {

  /** From this number of floats on, a bulk copy is faster than a loop. */
  private static final int BULK = 16;

  private byte[] array = FeatureGatherer.EMPTY;

  /** The array as floats that begin at its byte 0, 1, 2 or 3. */
  private final @Nullable FloatBuffer[] views = new FloatBuffer[Float.BYTES];

  void get(byte[] from, int at, float[] target, int to, int count) {
    if (count >= BULK) {
      view(from, at).get(at / Float.BYTES, target, to, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      target[to + i] = (float) Wire.FLOAT.get(from, at + i * Float.BYTES);
    }
  }

  void put(byte[] target, int at, float[] values, int from, int count) {
    if (count >= BULK) {
      view(target, at).put(at / Float.BYTES, values, from, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      Wire.FLOAT.set(target, at + i * Float.BYTES, values[from + i]);
    }
  }

  private FloatBuffer view(byte[] bytes, int at) {
    if (bytes != array) {
      array = bytes;
      Arrays.fill(views, null);
    }
    int first = at % Float.BYTES;
    FloatBuffer view = views[first];
    if (view == null) {
      view =
          ByteBuffer.wrap(bytes, first, bytes.length - first)
              .slice()
              .order(ByteOrder.LITTLE_ENDIAN)
              .asFloatBuffer();
      views[first] = view;
    }
    return view;
  }
}
