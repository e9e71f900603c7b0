/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

/** What a node answers to a chunk. */
enum Answer {
  /** The node has it. */
  ACCEPTED,
  /** The queue stayed full for as long as the sender wanted to wait. */
  FULL,
  /** A newer attempt of the same partition has taken over. */
  FENCED,
  /** The program reads no more. */
  ENDED;

  private static final Answer[] ALL = values();

  static Answer of(int ordinal) {
    return ALL[ordinal];
  }
}
