/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.control;

import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the driver says to all nodes. The driver keeps one list of events for a cluster and every
 * node gets all of them in the same order with its polls.
 */
public sealed interface Event {

  /** All nodes have checked in: programs may run. */
  record Roster(List<Member> members) implements Event {
    @SuppressWarnings("MissingSummary") // copies
    public Roster {
      members = List.copyOf(members);
    }
  }

  /**
   * The driver begins to send the rows of one data set to a feed.
   *
   * @param feed name of the feed
   * @param session number of the data set within the cluster, from 0
   * @param partitions partitions of the data set
   * @param epochs how often the program is to see each row
   * @param shuffled whether rows come in a seeded random order
   * @param seed seed of that order
   * @param byRule whether partition p belongs to rank p modulo readers, in order
   * @param loaded whether nodes keep the rows and read them as often as they like
   * @param blockId id under which nodes may keep rows in Spark's storage
   */
  record FeedStarted(
      String feed,
      int session,
      int partitions,
      int epochs,
      boolean shuffled,
      long seed,
      boolean byRule,
      boolean loaded,
      int blockId)
      implements Event {}

  /** All rows of the session have been handed to nodes. */
  record FeedComplete(String feed, int session, long rows) implements Event {}

  /** No further session will come: feeds end once they are empty. */
  record NoMoreFeeds() implements Event {}

  /** The program of a node has returned: it will take part in no exchange any more. */
  record Returned(int rank) implements Event {}

  /** All nodes end at once. */
  record Stop(String reason) implements Event {}

  /** The flat form of a list of events. */
  static byte[] encode(List<Event> events) {
    return Wire.encode(
        out -> {
          out.writeInt(events.size());
          for (Event event : events) {
            write(event, out);
          }
        });
  }

  private static void write(Event event, DataOutput out) throws IOException {
    if (event instanceof Roster e) {
      out.writeByte(0);
      out.writeInt(e.members().size());
      for (Member member : e.members()) {
        member.write(out);
      }
    } else if (event instanceof FeedStarted e) {
      out.writeByte(1);
      out.writeUTF(e.feed());
      out.writeInt(e.session());
      out.writeInt(e.partitions());
      out.writeInt(e.epochs());
      out.writeBoolean(e.shuffled());
      out.writeLong(e.seed());
      out.writeBoolean(e.byRule());
      out.writeBoolean(e.loaded());
      out.writeInt(e.blockId());
    } else if (event instanceof FeedComplete e) {
      out.writeByte(2);
      out.writeUTF(e.feed());
      out.writeInt(e.session());
      out.writeLong(e.rows());
    } else if (event instanceof NoMoreFeeds) {
      out.writeByte(3);
    } else if (event instanceof Stop e) {
      out.writeByte(4);
      Wire.writeText(out, e.reason());
    } else if (event instanceof Returned e) {
      out.writeByte(5);
      out.writeInt(e.rank());
    }
  }

  /** Reads the flat form. */
  static List<Event> decode(byte[] bytes) {
    return Wire.decode(bytes, Event::readAll);
  }

  private static List<Event> readAll(DataInputStream in) throws IOException {
    int count = in.readInt();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int tag = in.readUnsignedByte();
      events.add(
          switch (tag) {
            case 0 -> new Roster(Wire.readMembers(in));
            case 1 ->
                new FeedStarted(
                    in.readUTF(),
                    in.readInt(),
                    in.readInt(),
                    in.readInt(),
                    in.readBoolean(),
                    in.readLong(),
                    in.readBoolean(),
                    in.readBoolean(),
                    in.readInt());
            case 2 -> new FeedComplete(in.readUTF(), in.readInt(), in.readLong());
            case 3 -> new NoMoreFeeds();
            case 4 -> new Stop(Wire.readText(in));
            case 5 -> new Returned(in.readInt());
            default -> throw new IOException("An event of unknown kind " + tag);
          });
    }
    return List.copyOf(events);
  }
}
