/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.tensorflowonspark.sql.rows.RecordType;
import org.tensorflowonspark.tfrecord.RecordReader;
import org.tensorflowonspark.tfrecord.example.ExampleReader;
import org.tensorflowonspark.tfrecord.example.ExampleScanner;
import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureListView;
import org.tensorflowonspark.tfrecord.example.FeatureVisitor;
import org.tensorflowonspark.tfrecord.example.MalformedExampleException;

/**
 * A copy of all that a record holds, to be shown.
 *
 * @param features of an Example or of the context of a SequenceExample, by name
 * @param lists the steps of the feature lists, by name
 */
record RecordContent(Map<String, Feature> features, Map<String, List<Feature>> lists) {

  /** Copies the record that {@code reader} is at. */
  static RecordContent of(RecordReader reader, RecordType type) throws MalformedExampleException {
    Names names = new Names();
    byte[] buffer = reader.buffer();
    ExampleReader examples;
    if (type == RecordType.SEQUENCE_EXAMPLE) {
      new ExampleScanner().sequenceExample(buffer, reader.offset(), reader.length(), names);
      examples = ExampleReader.ofSequenceExample(names.features, names.lists);
    } else {
      new ExampleScanner().example(buffer, reader.offset(), reader.length(), names);
      examples = ExampleReader.ofExample(names.features);
    }
    examples.read(buffer, reader.offset(), reader.length());
    Map<String, Feature> features = new TreeMap<>();
    for (int i = 0; i < names.features.size(); i++) {
      features.put(names.features.get(i), Feature.of(examples.feature(i)));
    }
    Map<String, List<Feature>> lists = new TreeMap<>();
    for (int i = 0; i < names.lists.size(); i++) {
      lists.put(names.lists.get(i), steps(examples.featureList(i)));
    }
    return new RecordContent(features, lists);
  }

  private static List<Feature> steps(FeatureListView view) {
    List<Feature> steps = new ArrayList<>();
    view.rewind();
    for (int i = 0; i < view.steps(); i++) {
      steps.add(Feature.of(view.nextStep()));
    }
    return steps;
  }

  private static final class Names implements FeatureVisitor {
    private final List<String> features = new ArrayList<>();
    private final List<String> lists = new ArrayList<>();

    @Override
    public void onFeature(String name, FeatureKind kind, int count) {
      features.add(name);
    }

    @Override
    public void onFeatureList(String name, FeatureKind kind, int steps, boolean mixed) {
      lists.add(name);
    }
  }
}
