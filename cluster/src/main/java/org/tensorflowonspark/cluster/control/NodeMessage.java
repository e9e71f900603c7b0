/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.control;

import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;

/** What a node says to the driver. Every message but the first names the node's incarnation. */
public sealed interface NodeMessage {

  /** The rank of the sender. */
  int rank();

  /** The sender's start, so that a node that was replaced is not listened to. */
  long incarnation();

  /** The first message: the node is there. */
  record CheckIn(int version, String clusterId, Member member) implements NodeMessage {
    /** A check-in of this version. */
    public CheckIn(String clusterId, Member member) {
      this(Wire.VERSION, clusterId, member);
    }

    @Override
    public int rank() {
      return member.rank();
    }

    @Override
    public long incarnation() {
      return member.incarnation();
    }
  }

  /**
   * The heartbeat: answered with new events at once when there are any, else after a while without.
   *
   * @param seen events that the node has
   * @param step batches that the node's program has taken
   * @param doing what the node does right now, for errors that must name it
   */
  record Poll(int rank, long incarnation, int seen, long step, String doing)
      implements NodeMessage {}

  /** The program reads a feed from now on; {@code spec} is an encoded list of columns. */
  record FeedOpened(int rank, long incarnation, String feed, byte[] spec) implements NodeMessage {}

  /** The program has used all rows of a feed's session, or reads no more. */
  record FeedDone(int rank, long incarnation, String feed, int session, long rows, boolean complete)
      implements NodeMessage {}

  /** Figures for whoever watches. */
  record Report(int rank, long incarnation, Progress progress) implements NodeMessage {}

  /** The program returned. */
  record Finished(int rank, long incarnation, long step, byte[] result) implements NodeMessage {}

  /** The program, or the node around it, failed. */
  record Failed(int rank, long incarnation, long step, RemoteFailure failure)
      implements NodeMessage {}

  /** The node has given everything back; its last message. */
  record Left(int rank, long incarnation) implements NodeMessage {}

  /** The flat form. */
  default byte[] encode() {
    return Wire.encode(this::write);
  }

  private void write(DataOutput out) throws IOException {
    if (this instanceof CheckIn m) {
      out.writeByte(0);
      out.writeInt(m.version());
      out.writeUTF(m.clusterId());
      m.member().write(out);
      return;
    }
    out.writeByte(tag());
    out.writeInt(rank());
    out.writeLong(incarnation());
    if (this instanceof Poll m) {
      out.writeInt(m.seen());
      out.writeLong(m.step());
      Wire.writeText(out, m.doing());
    } else if (this instanceof FeedOpened m) {
      out.writeUTF(m.feed());
      Wire.writeBytes(out, m.spec());
    } else if (this instanceof FeedDone m) {
      out.writeUTF(m.feed());
      out.writeInt(m.session());
      out.writeLong(m.rows());
      out.writeBoolean(m.complete());
    } else if (this instanceof Report m) {
      m.progress().write(out);
    } else if (this instanceof Finished m) {
      out.writeLong(m.step());
      Wire.writeBytes(out, m.result());
    } else if (this instanceof Failed m) {
      out.writeLong(m.step());
      m.failure().write(out);
    }
  }

  private int tag() {
    return this instanceof Poll
        ? 1
        : this instanceof FeedOpened
            ? 2
            : this instanceof FeedDone
                ? 3
                : this instanceof Report
                    ? 4
                    : this instanceof Finished ? 5 : this instanceof Failed ? 6 : 7;
  }

  /** Reads the flat form; a message of no known kind is an error. */
  static NodeMessage decode(byte[] bytes) {
    return Wire.decode(bytes, NodeMessage::read);
  }

  private static NodeMessage read(DataInputStream in) throws IOException {
    int tag = in.readUnsignedByte();
    if (tag == 0) {
      int version = in.readInt();
      String clusterId = in.readUTF();
      // The layout of the rest belongs to the version, so a stranger's is not read.
      return version == Wire.VERSION
          ? new CheckIn(version, clusterId, Member.read(in))
          : new CheckIn(version, clusterId, STRANGER);
    }
    int rank = in.readInt();
    long incarnation = in.readLong();
    return switch (tag) {
      case 1 -> new Poll(rank, incarnation, in.readInt(), in.readLong(), Wire.readText(in));
      case 2 -> new FeedOpened(rank, incarnation, in.readUTF(), Wire.readBytes(in));
      case 3 ->
          new FeedDone(
              rank, incarnation, in.readUTF(), in.readInt(), in.readLong(), in.readBoolean());
      case 4 -> new Report(rank, incarnation, Progress.read(in));
      case 5 -> new Finished(rank, incarnation, in.readLong(), Wire.readBytes(in));
      case 6 -> new Failed(rank, incarnation, in.readLong(), RemoteFailure.read(in));
      case 7 -> new Left(rank, incarnation);
      default -> throw new IOException("A message of unknown kind " + tag);
    };
  }

  /** The version of this side's encoding. */
  static int version() {
    return Wire.VERSION;
  }

  /** Stands in for the member of a check-in that this version cannot read. */
  Member STRANGER =
      new Member(
          -1, org.tensorflowonspark.cluster.config.Role.WORKER, -1, 0, "unknown", "unknown", 0, "");
}
