/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * The first record of a connection: who speaks, to whom, about which channel. A flat record with
 * short texts; it is read from a frame whose size was checked before.
 *
 * @param clusterId cluster of the speaker
 * @param attempt attempt of the speaker
 * @param rank rank of the speaker, {@link Membership#GUEST} for none
 * @param target rank of the node spoken to
 * @param channel name of the link, empty for requests
 */
record Hello(String clusterId, int attempt, int rank, int target, String channel) {
  /** Version of everything that this package sends. */
  static final short VERSION = 1;

  static final int MAX_TEXT = 100;

  Hello {
    if (channel.length() > MAX_TEXT) {
      throw new IllegalArgumentException("Channel name is longer than 100: " + channel);
    }
  }

  static Hello of(Membership me, int target, String channel) {
    return new Hello(me.clusterId(), me.attempt(), me.rank(), target, channel);
  }

  void encode(ByteBuffer out) {
    out.putInt(attempt).putInt(rank).putInt(target);
    putText(out, clusterId);
    putText(out, channel);
  }

  /** Reads a hello, or null when the bytes are none. */
  static @Nullable Hello decode(ByteBuffer in) {
    try {
      int attempt = in.getInt();
      int rank = in.getInt();
      int target = in.getInt();
      String cluster = text(in);
      return new Hello(cluster, attempt, rank, target, text(in));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return null;
    }
  }

  /** Why the node {@code me} does not take this peer, or null when it does. */
  @Nullable Verdict objection(Membership me) {
    if (!clusterId.equals(me.clusterId())) {
      return wrong(me, "cluster '" + clusterId + "'", "cluster '" + me.clusterId() + "'");
    }
    if (attempt != me.attempt()) {
      return wrong(me, "attempt " + attempt, "attempt " + me.attempt());
    }
    if (target != me.rank()) {
      return wrong(me, "a connection for rank " + target, "rank " + me.rank());
    }
    return null;
  }

  private static Verdict wrong(Membership me, String theirs, String ours) {
    return new Verdict(
        TransportError.WRONG_CLUSTER,
        "Refused by " + me.name() + ": the peer has " + theirs + ", this node is " + ours);
  }

  /** The failure for two versions that differ. */
  static TfosException versions(String who, int theirs) {
    return new TfosException(
        TransportError.WRONG_VERSION,
        who + " speaks protocol version " + theirs + ", this process version " + VERSION,
        "Use the same jar of this project on the driver and on every executor.");
  }

  private static void putText(ByteBuffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putShort((short) bytes.length).put(bytes);
  }

  private static String text(ByteBuffer in) {
    int length = in.getShort();
    if (length < 0 || length > 3 * MAX_TEXT || length > in.remaining()) {
      throw new IllegalArgumentException("length");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** A refusal as it travels: number of the error and a text for the peer's exception. */
  record Verdict(TransportError error, String text) {
    static final int MAX_BYTES = 3 + 1000;

    void encode(ByteBuffer out) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      int length = Math.min(bytes.length, 1000);
      out.put((byte) error.number()).putShort((short) length).put(bytes, 0, length);
    }

    /** The refusal for the error numbered {@code number}. */
    static TfosException failure(int number, String text) {
      for (TransportError error : TransportError.values()) {
        if (error.number() == number) {
          return new TfosException(
              error, text, "Check that driver and executors run the same job and jar.");
        }
      }
      return new TfosException(TransportError.NOT_AUTHENTICATED, text, "");
    }
  }
}
