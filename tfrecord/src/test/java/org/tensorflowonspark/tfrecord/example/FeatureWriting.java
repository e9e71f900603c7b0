/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.FeatureList;
import org.tensorflow.proto.FeatureLists;
import org.tensorflow.proto.Features;

/** Writes messages of protobuf, taking now this and now that of the methods there are. */
final class FeatureWriting {
  private FeatureWriting() {}

  /** A feature of no kind cannot be written, so it is taken out. */
  static Features ofSomeKind(Features features) {
    Features.Builder some = Features.newBuilder();
    features
        .getFeatureMap()
        .forEach(
            (name, feature) -> {
              if (hasKind(feature)) {
                some.putFeature(name, feature);
              }
            });
    return some.build();
  }

  static FeatureLists ofSomeKind(FeatureLists lists) {
    FeatureLists.Builder some = FeatureLists.newBuilder();
    lists
        .getFeatureListMap()
        .forEach(
            (name, list) -> {
              List<Feature> steps =
                  list.getFeatureList().stream().filter(FeatureWriting::hasKind).toList();
              some.putFeatureList(name, FeatureList.newBuilder().addAllFeature(steps).build());
            });
    return some.build();
  }

  private static boolean hasKind(Feature feature) {
    return feature.getKindCase() != Feature.KindCase.KIND_NOT_SET;
  }

  static void write(ExampleWriter writer, Features features, Gen gen) {
    List<String> names = new ArrayList<>(features.getFeatureMap().keySet());
    Collections.shuffle(names, gen.random);
    for (String name : names) {
      write(writer, Gen.NAMES.indexOf(name), features.getFeatureOrThrow(name), gen);
    }
  }

  static void write(ExampleWriter writer, FeatureLists lists, Gen gen) {
    for (String name : lists.getFeatureListMap().keySet()) {
      FeatureList list = lists.getFeatureListOrThrow(name);
      writer.beginList(Gen.NAMES.indexOf(name), list.getFeatureCount());
      for (Feature step : list.getFeatureList()) {
        write(writer, -1, step, gen);
      }
    }
  }

  /** Writes a feature of that index, or a step when it is negative. */
  private static void write(ExampleWriter writer, int index, Feature feature, Gen gen) {
    int from = gen.below(3);
    switch (feature.getKindCase()) {
      case FLOAT_LIST -> {
        int count = feature.getFloatList().getValueCount();
        float[] values = new float[count + from];
        for (int i = 0; i < count; i++) {
          values[from + i] = feature.getFloatList().getValue(i);
        }
        if (gen.below(2) == 0) {
          int at = index < 0 ? writer.reserveStepFloats(count) : writer.reserveFloats(index, count);
          for (int i = 0; i < count; i++) {
            Wire.FLOAT.set(writer.buffer(), at + 4 * i, values[from + i]);
          }
        } else if (index < 0) {
          writer.stepFloats(values, from, count);
        } else {
          writer.floats(index, values, from, count);
        }
      }
      case INT64_LIST -> {
        int count = feature.getInt64List().getValueCount();
        long[] values = new long[count + from];
        for (int i = 0; i < count; i++) {
          values[from + i] = feature.getInt64List().getValue(i);
        }
        if (index < 0) {
          writer.stepLongs(values, from, count);
        } else {
          writer.longs(index, values, from, count);
        }
      }
      default -> {
        int count = feature.getBytesList().getValueCount();
        if (index < 0) {
          writer.stepBytes(count);
        } else {
          writer.beginBytes(index, count);
        }
        for (int i = 0; i < count; i++) {
          byte[] value = feature.getBytesList().getValue(i).toByteArray();
          if (gen.below(2) == 0) {
            int at = writer.reserveBytes(value.length);
            System.arraycopy(value, 0, writer.buffer(), at, value.length);
          } else {
            writer.bytes(value, 0, value.length);
          }
        }
      }
    }
  }
}
