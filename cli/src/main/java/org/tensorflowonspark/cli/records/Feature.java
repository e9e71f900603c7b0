/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureView;

/**
 * A copy of a feature, to be shown.
 *
 * @param values {@code float[]}, {@code long[]}, {@code byte[][]} or, of no kind, null
 */
record Feature(FeatureKind kind, int count, @Nullable Object values) {
  /** So many values are shown to people. */
  private static final int SHOWN = 8;

  static Feature of(FeatureView view) {
    return new Feature(view.kind(), view.count(), copy(view));
  }

  private static @Nullable Object copy(FeatureView view) {
    switch (view.kind()) {
      case FLOAT -> {
        float[] floats = new float[view.count()];
        view.floats(floats, 0);
        return floats;
      }
      case INT64 -> {
        long[] longs = new long[view.count()];
        view.longs(longs, 0);
        return longs;
      }
      case BYTES -> {
        int[] starts = new int[view.count()];
        int[] lengths = new int[view.count()];
        view.elements(starts, lengths);
        return IntStream.range(0, view.count())
            .mapToObj(i -> Arrays.copyOfRange(view.buffer(), starts[i], starts[i] + lengths[i]))
            .toArray(byte[][]::new);
      }
      case NONE, ABSENT -> {}
    }
    return null;
  }

  /** All values under the name of their kind, as TensorFlow's own JSON form has them. */
  Json json() {
    Json object = Json.object();
    return kind == FeatureKind.BYTES
        ? object.with(kindName(), Arrays.stream(bytes()).map(Bytes::json).toList())
        : values == null ? object : object.with(kindName(), values);
  }

  /** The kind and the number of values. */
  String type() {
    return kindName() + "[" + count + "]";
  }

  /** The first values. */
  String text() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < Math.min(count, SHOWN); i++) {
      texts.add(text(i));
    }
    return texts.stream().collect(Collectors.joining(", ")) + (count > SHOWN ? ", ..." : "");
  }

  private String text(int index) {
    return values instanceof float[] floats
        ? Float.toString(floats[index])
        : values instanceof long[] longs ? Long.toString(longs[index]) : Bytes.text(bytes()[index]);
  }

  private byte[][] bytes() {
    return values instanceof byte[][] bytes ? bytes : new byte[0][];
  }

  private String kindName() {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
