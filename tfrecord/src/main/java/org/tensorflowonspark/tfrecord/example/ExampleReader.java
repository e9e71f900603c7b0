/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the wanted features of one record after the other. What is not wanted is passed over by its
 * length and not looked into. Of a feature that is there twice the last one counts, as for
 * protobuf. One thread.
 */
public final class ExampleReader {
  private final MapParser features;
  private final MapParser lists;
  private final RecordParser parser;

  private ExampleReader(MapParser features, MapParser lists, boolean sequence) {
    this.features = features;
    this.lists = lists;
    @Nullable MapParser parsedLists = sequence ? lists : null;
    parser = new RecordParser(features, parsedLists);
  }

  /** Reads {@code tf.train.Example}. Names may not repeat. */
  public static ExampleReader ofExample(List<String> features) {
    return new ExampleReader(
        MapParser.of(false, features), MapParser.of(true, List.of()), /* sequence= */ false);
  }

  /** Reads {@code tf.train.SequenceExample}: features of its context, and its feature lists. */
  public static ExampleReader ofSequenceExample(
      List<String> contextFeatures, List<String> featureLists) {
    return new ExampleReader(
        MapParser.of(false, contextFeatures),
        MapParser.of(true, featureLists),
        /* sequence= */ true);
  }

  /**
   * Reads one record; the array is not copied and must stay as it is while views are in use. The
   * wanted features are checked whole: whatever protobuf would refuse is refused here. What views
   * show of a record that is refused means nothing.
   */
  public void read(byte[] buffer, int offset, int length) throws MalformedExampleException {
    parser.parse(buffer, offset, length);
  }

  /** The wanted feature of that index; the same object for all records. */
  public FeatureView feature(int index) {
    return features.feature(index);
  }

  /** The wanted feature list of that index; the same object for all records. */
  public FeatureListView featureList(int index) {
    return lists.list(index);
  }
}
