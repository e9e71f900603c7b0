/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

/** The door for start tasks. */
public final class NodeLauncher {
  private NodeLauncher() {}

  /**
   * Launches the node of {@code rank} in this executor and returns when the driver knows of it. Its
   * threads go on after the task has ended.
   */
  public static void launch(NodeSpec spec, int rank) {
    NodeRuntime.launch(spec, rank);
  }
}
