/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

/**
 * Walks all features of records, checking every byte as protobuf would. The visitor hears of a
 * record only after all of it was found right. One thread.
 */
public final class ExampleScanner {
  /** Names that are kept from record to record; beyond, they are those of data and not a schema. */
  private static final int MAX_NAMES = 10_000;

  private MapParser features = MapParser.ofAll(false);
  private MapParser lists = MapParser.ofAll(true);

  /** Walks one Example. */
  public void example(byte[] buffer, int offset, int length, FeatureVisitor visitor)
      throws MalformedExampleException {
    forget();
    new RecordParser(features, null).parse(buffer, offset, length);
    tellFeatures(visitor);
  }

  /** Walks one SequenceExample. */
  public void sequenceExample(byte[] buffer, int offset, int length, FeatureVisitor visitor)
      throws MalformedExampleException {
    forget();
    new RecordParser(features, lists).parse(buffer, offset, length);
    tellFeatures(visitor);
    for (int i = 0; i < lists.seenCount(); i++) {
      int index = lists.seen(i);
      tellList(lists.name(index), lists.list(index), visitor);
    }
  }

  private void forget() {
    if (features.size() > MAX_NAMES) {
      features = MapParser.ofAll(false);
    }
    if (lists.size() > MAX_NAMES) {
      lists = MapParser.ofAll(true);
    }
  }

  private void tellFeatures(FeatureVisitor visitor) {
    for (int i = 0; i < features.seenCount(); i++) {
      int index = features.seen(i);
      FeatureView feature = features.feature(index);
      visitor.onFeature(features.name(index), feature.kind(), feature.count());
    }
  }

  private static void tellList(String name, FeatureListView list, FeatureVisitor visitor) {
    FeatureKind kind = FeatureKind.NONE;
    boolean mixed = false;
    list.rewind();
    for (int i = 0; i < list.steps(); i++) {
      FeatureKind step = list.nextStep().kind();
      if (kind == FeatureKind.NONE) {
        kind = step;
      }
      mixed |= step != FeatureKind.NONE && step != kind;
    }
    visitor.onFeatureList(name, kind, list.steps(), mixed);
  }
}
