/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import com.google.protobuf.ByteString;
import java.util.List;
import org.tensorflow.proto.BytesList;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.FeatureList;
import org.tensorflow.proto.FeatureLists;
import org.tensorflow.proto.Features;
import org.tensorflow.proto.FloatList;
import org.tensorflow.proto.Int64List;
import org.tensorflow.proto.SequenceExample;

/** Records as protobuf makes them. */
public final class Examples {
  private Examples() {}

  public static Feature longs(long... values) {
    Int64List.Builder list = Int64List.newBuilder();
    for (long value : values) {
      list.addValue(value);
    }
    return Feature.newBuilder().setInt64List(list).build();
  }

  public static Feature floats(float... values) {
    FloatList.Builder list = FloatList.newBuilder();
    for (float value : values) {
      list.addValue(value);
    }
    return Feature.newBuilder().setFloatList(list).build();
  }

  public static Feature texts(String... values) {
    BytesList.Builder list = BytesList.newBuilder();
    for (String value : values) {
      list.addValue(ByteString.copyFromUtf8(value));
    }
    return Feature.newBuilder().setBytesList(list).build();
  }

  static Feature bytes(byte[]... values) {
    BytesList.Builder list = BytesList.newBuilder();
    for (byte[] value : values) {
      list.addValue(ByteString.copyFrom(value));
    }
    return Feature.newBuilder().setBytesList(list).build();
  }

  /** A feature that holds no list of any kind. */
  static Feature none() {
    return Feature.getDefaultInstance();
  }

  static Example example(Object... namesAndFeatures) {
    return Example.newBuilder().setFeatures(features(namesAndFeatures)).build();
  }

  public static Features features(Object... namesAndFeatures) {
    Features.Builder features = Features.newBuilder();
    for (int i = 0; i < namesAndFeatures.length; i += 2) {
      features.putFeature((String) namesAndFeatures[i], (Feature) namesAndFeatures[i + 1]);
    }
    return features.build();
  }

  static SequenceExample sequence(Features context, Object... namesAndLists) {
    FeatureLists.Builder lists = FeatureLists.newBuilder();
    for (int i = 0; i < namesAndLists.length; i += 2) {
      @SuppressWarnings("unchecked")
      List<Feature> steps = (List<Feature>) namesAndLists[i + 1];
      lists.putFeatureList(
          (String) namesAndLists[i], FeatureList.newBuilder().addAllFeature(steps).build());
    }
    return SequenceExample.newBuilder().setContext(context).setFeatureLists(lists).build();
  }
}
