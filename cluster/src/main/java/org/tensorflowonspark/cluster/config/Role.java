/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.config;

import java.util.Locale;

/** What a node is in the cluster, with TensorFlow's names. */
public enum Role {
  /** The worker with rank 0, which also exports and reports. */
  CHIEF,
  /** A node that trains. */
  WORKER,
  /** A node that evaluates beside the training and takes no part in its collectives or feeds. */
  EVALUATOR;

  /** The name as it stands in {@code TF_CONFIG}. */
  public String taskType() {
    return name().toLowerCase(Locale.ROOT);
  }
}
