/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.util.Base64;

/**
 * Who this process is to the cluster's other processes: cluster, attempt, rank and the shared
 * secret. Immutable, safe on any thread; never printed or serialised with its secret.
 */
public final class Membership {
  /** Rank of a process that is no node, such as one that runs a feed task. */
  static final int GUEST = -1;

  static final int SECRET_BYTES = 32;

  private final String clusterId;
  private final int attempt;
  private final int rank;
  private final byte[] secret;

  private Membership(String clusterId, int attempt, int rank, byte[] secret) {
    if (secret.length != SECRET_BYTES) {
      throw new IllegalArgumentException("Secret has " + secret.length + " bytes, not 32");
    }
    if (clusterId.isEmpty() || clusterId.length() > Hello.MAX_TEXT) {
      throw new IllegalArgumentException("Invalid cluster id: '" + clusterId + "'");
    }
    this.clusterId = clusterId;
    this.attempt = attempt;
    this.rank = rank;
    this.secret = secret.clone();
  }

  /**
   * The identity of a node.
   *
   * @param clusterId name of the cluster, at most 100 characters
   * @param attempt number of the attempt; frames of another one are refused
   * @param rank rank of the node, from 0
   * @param secret the cluster's 32 random bytes
   */
  public static Membership node(String clusterId, int attempt, int rank, byte[] secret) {
    if (rank < 0) {
      throw new IllegalArgumentException("Invalid rank: " + rank);
    }
    return new Membership(clusterId, attempt, rank, secret);
  }

  /** The identity of a process that is no node but may send requests to nodes. */
  public static Membership guest(String clusterId, int attempt, byte[] secret) {
    return new Membership(clusterId, attempt, GUEST, secret);
  }

  String clusterId() {
    return clusterId;
  }

  int attempt() {
    return attempt;
  }

  int rank() {
    return rank;
  }

  byte[] secret() {
    return secret.clone();
  }

  /** The secret as the text that Spark's protocols want. */
  String secretText() {
    return Base64.getEncoder().encodeToString(secret);
  }

  /** How errors name this process. */
  String name() {
    return rank == GUEST ? "a feed task" : "rank " + rank;
  }

  @Override
  public String toString() {
    return name() + " of cluster " + clusterId + ", attempt " + attempt;
  }
}
