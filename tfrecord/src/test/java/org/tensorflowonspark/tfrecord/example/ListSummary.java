/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.FeatureList;

/** What a visitor should hear of messages, and what one hears. */
final class ListSummary implements FeatureVisitor {
  final Map<String, String> heard = new TreeMap<>();

  @Override
  public void onFeature(String name, FeatureKind kind, int count) {
    assertThat(heard.put("feature " + name, kind + " " + count)).isNull();
  }

  @Override
  public void onFeatureList(String name, FeatureKind kind, int steps, boolean mixed) {
    assertThat(heard.put("list " + name, kind + " " + steps + " " + mixed)).isNull();
  }

  static String of(Feature feature) {
    return switch (feature.getKindCase()) {
      case BYTES_LIST -> "BYTES " + feature.getBytesList().getValueCount();
      case FLOAT_LIST -> "FLOAT " + feature.getFloatList().getValueCount();
      case INT64_LIST -> "INT64 " + feature.getInt64List().getValueCount();
      default -> "NONE 0";
    };
  }

  static String of(FeatureList list) {
    List<String> kinds =
        list.getFeatureList().stream()
            .map(step -> of(step).split(" ", 2)[0])
            .filter(kind -> !kind.equals("NONE"))
            .distinct()
            .toList();
    String first = kinds.isEmpty() ? "NONE" : kinds.get(0);
    return first + " " + list.getFeatureCount() + " " + (kinds.size() > 1);
  }
}
