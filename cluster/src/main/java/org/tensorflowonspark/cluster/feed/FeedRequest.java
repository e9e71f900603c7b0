/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What a feed task asks of a node in another process: a fixed head, the feed's name, and for an
 * offer the chunk behind it. Answered with a byte and a long.
 */
record FeedRequest(
    Kind kind,
    String feed,
    int session,
    int partition,
    int attempt,
    int waitMillis,
    ByteBuffer payload) {

  private static final int HEAD = 1 + 4 * 4 + 2;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** What can be asked. */
  enum Kind {
    OPEN,
    OFFER,
    CLOSE,
    FILL,
    ASK;

    private static final Kind[] ALL = values();
  }

  static FeedRequest of(Kind kind, String feed, int session, int partition, int attempt) {
    return new FeedRequest(kind, feed, session, partition, attempt, 0, NOTHING);
  }

  ByteBuffer encode() {
    byte[] name = feed.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out =
        ByteBuffer.allocate(HEAD + name.length + payload.remaining())
            .order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) kind.ordinal());
    out.putInt(session).putInt(partition).putInt(attempt).putInt(waitMillis);
    out.putShort((short) name.length).put(name);
    return out.put(payload.duplicate()).flip();
  }

  static FeedRequest decode(ByteBuffer message) {
    ByteBuffer in = message.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    try {
      int kind = in.get();
      if (kind < 0 || kind >= Kind.ALL.length) {
        throw new IllegalArgumentException("A feed request of unknown kind " + kind);
      }
      int session = in.getInt();
      int partition = in.getInt();
      int attempt = in.getInt();
      int waitMillis = in.getInt();
      byte[] name = new byte[Math.min(in.getShort() & 0xffff, in.remaining())];
      in.get(name);
      return new FeedRequest(
          Kind.ALL[kind],
          new String(name, StandardCharsets.UTF_8),
          session,
          partition,
          attempt,
          waitMillis,
          in.slice());
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("A feed request of " + message.remaining() + " bytes", e);
    }
  }

  static ByteBuffer answer(Answer answer, long value) {
    return ByteBuffer.allocate(9)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) answer.ordinal())
        .putLong(value)
        .flip();
  }
}
