/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.tensorflowonspark.base.TfosException;

/**
 * The round of {@link Packet}s that starts every operation: each rank's goes once around the ring,
 * so that all ranks know all weights, scalars and sizes, and none leaves the round before all have
 * entered the operation.
 */
final class Exchange {
  /** Cap for one rank's contribution to an all-gather. */
  static final int MAX_PAYLOAD = 64 << 20;

  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final int rank;
  private final Ring ring;
  private final Packet[] packets;
  private final ByteBuffer[] slots;

  Exchange(int rank, Ring ring) {
    this.rank = rank;
    this.ring = ring;
    packets = new Packet[ring.size()];
    slots = new ByteBuffer[ring.size()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = Stream.direct(4096);
    }
  }

  /** The rank's own slot with its head and scalars in it and room for the payload. */
  ByteBuffer begin(Packet mine, double[] scalars) {
    packets[rank] = mine;
    ByteBuffer slot = slot(rank, mine.length());
    mine.write(slot);
    for (double scalar : scalars) {
      slot.putDouble(scalar);
    }
    return slot;
  }

  private ByteBuffer slot(int index, int bytes) {
    if (slots[index].capacity() < bytes) {
      slots[index] = Stream.direct(Math.max(bytes, 2 * slots[index].capacity()));
    }
    return slots[index].clear();
  }

  /** Starts to send the rank's own packet, filled. */
  void start() {
    if (ring.size() > 1) {
      ring.send(slots[rank].flip());
    }
  }

  /** Receives the packets of all others, sends them on, and compares. */
  void complete() {
    for (int distance = 1; distance < ring.size(); distance++) {
      receive(ring.before(distance), distance < ring.size() - 1);
    }
    for (Packet packet : packets) {
      if (!packet.agrees(packets[rank])) {
        if (ring.size() > 2) {
          ring.finish(FAREWELL);
        }
        throw mismatch();
      }
    }
  }

  private void receive(int from, boolean forward) {
    ByteBuffer slot = slot(from, Packet.HEAD_BYTES).limit(Packet.HEAD_BYTES);
    ring.receive(slot);
    Packet packet = Packet.read(slot.flip(), MAX_PAYLOAD);
    if (packet == null || packet.rank() != from) {
      throw new TfosException(
          CollectiveError.MISMATCH,
          "Rank " + rank + " got bytes that start no operation instead of the word of rank " + from,
          "All ranks must call the same operations in the same order.");
    }
    packets[from] = packet;
    int length = packet.length();
    if (slot.capacity() < length) {
      ByteBuffer larger = Stream.direct(length);
      larger.put(slot.rewind());
      slots[from] = larger;
      slot = larger;
    }
    ring.receive(slot.limit(length).position(Packet.HEAD_BYTES));
    if (forward) {
      ring.send(slot.flip());
    }
  }

  private TfosException mismatch() {
    List<String> said = new ArrayList<>();
    for (Packet packet : packets) {
      said.add(packet.describe());
    }
    return new TfosException(
        CollectiveError.MISMATCH,
        "Ranks do not do the same: " + String.join(", ", said),
        "All ranks must call the same operations in the same order with buffers alike.");
  }

  Packet packet(int of) {
    return packets[of];
  }

  double scalar(int of, int index) {
    return slots[of].getDouble(Packet.HEAD_BYTES + 8 * index);
  }

  ByteBuffer payload(int of) {
    Packet packet = packets[of];
    int end = packet.length();
    return Stream.part(slots[of].clear(), end - packet.payload(), end);
  }

  /** Lets slots go that a large payload has grown. */
  void trim() {
    for (int i = 0; i < slots.length; i++) {
      if (slots[i].capacity() > 1 << 20) {
        slots[i] = Stream.direct(4096);
      }
    }
  }
}
