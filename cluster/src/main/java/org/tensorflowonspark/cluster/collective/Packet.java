/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What every rank says first in an operation, so that ranks that disagree find out before a byte is
 * added: a fixed head, the scalars, and the payload when it is small. In native byte order; ranks
 * of one cluster run on one kind of machine, and the magic number finds out those that do not.
 *
 * @param rank who said it
 * @param op which operation
 * @param sequence how many operations came before
 * @param bytes length of all buffers
 * @param hash hash of the layout of the buffers
 * @param weight weight of the rank's buffers
 * @param scalars number of scalars
 * @param payload length of what follows head and scalars
 */
record Packet(
    int rank,
    Op op,
    long sequence,
    long bytes,
    long hash,
    double weight,
    int scalars,
    int payload) {

  static final int HEAD_BYTES = 56;
  static final int MAX_SCALARS = 1 << 16;
  private static final int MAGIC = 0x7f05c011;
  private static final Op[] OPS = Op.values();

  /** The operations, in the order of their codes on the wire. */
  enum Op {
    ALL_REDUCE(1, "allReduce"),
    ALL_REDUCE_SUM(2, "allReduceSum"),
    BROADCAST(3, "broadcast"),
    ALL_GATHER(4, "allGather"),
    BARRIER(5, "barrier");

    private final int code;
    private final String text;

    Op(int code, String text) {
      this.code = code;
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  void write(ByteBuffer out) {
    out.putInt(MAGIC).putInt(op.code).putInt(rank).putInt(scalars);
    out.putLong(sequence).putLong(bytes).putLong(hash).putDouble(weight);
    out.putInt(payload).putInt(0);
  }

  /** Reads a head; null when it is none or names sizes that no honest peer would. */
  static @Nullable Packet read(ByteBuffer in, int maxPayload) {
    int magic = in.getInt();
    int code = in.getInt();
    int rank = in.getInt();
    int scalars = in.getInt();
    long sequence = in.getLong();
    long bytes = in.getLong();
    long hash = in.getLong();
    double weight = in.getDouble();
    int payload = in.getInt();
    if (magic != MAGIC
        || code < 1
        || code > OPS.length
        || scalars < 0
        || scalars > MAX_SCALARS
        || payload < 0
        || payload > maxPayload) {
      return null;
    }
    return new Packet(rank, OPS[code - 1], sequence, bytes, hash, weight, scalars, payload);
  }

  /** Length of head, scalars and payload. */
  int length() {
    return HEAD_BYTES + 8 * scalars + payload;
  }

  boolean agrees(Packet other) {
    boolean sameSizes =
        op == Op.ALL_GATHER
            || (bytes == other.bytes && hash == other.hash && scalars == other.scalars);
    return op == other.op && sequence == other.sequence && sameSizes;
  }

  String describe() {
    return "rank "
        + rank
        + " in "
        + op
        + " #"
        + sequence
        + " of "
        + bytes
        + " bytes (layout "
        + Long.toHexString(hash)
        + ", "
        + scalars
        + " scalars)";
  }
}
