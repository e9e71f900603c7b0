/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

/** Hears of every feature of a record, whatever its name. For schema inference. */
public interface FeatureVisitor {

  /** A feature of an Example, or of the context of a SequenceExample; once for each name. */
  void onFeature(String name, FeatureKind kind, int count);

  /**
   * A feature list of a SequenceExample, once for each name.
   *
   * @param kind what its steps hold; NONE when no step holds anything
   * @param steps number of steps
   * @param mixed whether steps hold different kinds
   */
  void onFeatureList(String name, FeatureKind kind, int steps, boolean mixed);
}
