/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

/** What a feature holds. */
public enum FeatureKind {
  /** The record does not have the feature. */
  ABSENT,
  /** The record has the feature, which holds no list of any kind. */
  NONE,
  BYTES,
  FLOAT,
  INT64
}
