/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.control.Event;
import org.tensorflowonspark.cluster.control.Member;
import org.tensorflowonspark.cluster.spark.DriverEndpoint.Reply;

/** What the driver knows of one node. Guarded by the controller's lock. */
final class NodeState {
  final Member member;

  /** The process's connection, as Spark names it. */
  final String sender;

  long lastSeen = System.nanoTime();
  long step;
  String doing = "starts";
  boolean finished;
  boolean left;

  /** What is to be done about the node's loss once Spark has said why, or nothing. */
  @Nullable Runnable loss;

  byte[] result = new byte[0];

  /** Columns of each feed that the program has opened. */
  final Map<String, byte[]> feeds = new HashMap<>();

  /** Rows of each finished session, by {@code feed#session}; negative when not complete. */
  final Map<String, Long> done = new HashMap<>();

  private @Nullable Reply pending;
  private int pendingSeen;
  private long pendingSince;

  NodeState(Member member, String sender) {
    this.member = member;
    this.sender = sender;
  }

  /** Keeps a poll open until there is news. */
  void hold(Reply reply, int seen) {
    pending = reply;
    pendingSeen = seen;
    pendingSince = System.nanoTime();
  }

  /** Answers the open poll when there is news, or when it has been open for {@code maxNanos}. */
  void answer(java.util.List<Event> events, long maxNanos) {
    Reply reply = pending;
    if (reply != null
        && (pendingSeen < events.size() || System.nanoTime() - pendingSince >= maxNanos)) {
      pending = null;
      reply.send(Event.encode(events.subList(Math.min(pendingSeen, events.size()), events.size())));
    }
  }

  /** Forgets the open poll: there is nobody to answer. */
  void drop() {
    pending = null;
  }

  /** Refuses the open poll: another start of the node has taken its place. */
  void refuse(String reason) {
    Reply reply = pending;
    if (reply != null) {
      pending = null;
      reply.refuse(reason);
    }
  }
}
