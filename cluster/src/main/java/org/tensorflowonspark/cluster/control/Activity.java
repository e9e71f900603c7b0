/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.control;

/**
 * What a node does right now, written by its program's thread and read by the thread that polls the
 * driver.
 */
public final class Activity {
  private volatile long step;
  private volatile String doing = "waits for the other nodes to start";

  /** Batches that the program has taken. */
  public long step() {
    return step;
  }

  /** The program has taken another batch. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void nextStep() {
    step++;
  }

  /** Says what follows, as a predicate: {@code waits for rows of feed 'train'}. */
  public void doing(String what) {
    doing = what;
  }

  /** What the node does. */
  public String doing() {
    return doing;
  }
}
