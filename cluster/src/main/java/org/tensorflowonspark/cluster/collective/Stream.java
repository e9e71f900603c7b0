/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves ranges of a {@link Layout} over the ring. Large pieces go straight from and to the caller's
 * buffers; small ones travel together through pages of scratch memory, so that a model of many
 * small tensors costs few system calls. Scratch is kept for the next operation.
 */
final class Stream {
  /** Pieces from this size on are not copied. */
  private static final int DIRECT_BYTES = 16 << 10;

  /** What is received, added and sent on at a time; fits the second-level cache. */
  static final int CHUNK = 512 << 10;

  private final Ring ring;
  private final Kernels kernels = new Kernels();
  private final ByteBuffer arrival = direct(CHUNK);
  private final List<ByteBuffer> pages = new ArrayList<>();
  private int page;

  Stream(Ring ring) {
    this.ring = ring;
  }

  static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  static ByteBuffer part(ByteBuffer buffer, long from, long to) {
    return buffer.slice((int) from, (int) (to - from)).order(ByteOrder.nativeOrder());
  }

  /** All sends of the operation have left: its scratch is free again. */
  void reset() {
    page = 0;
    pages.forEach(ByteBuffer::clear);
  }

  /** Starts to send a range. */
  void send(Layout layout, long from, long to) {
    ByteBuffer packed = null;
    int start = 0;
    long at = from;
    for (int i = layout.indexAt(from); at < to; i++) {
      long end = Math.min(to, layout.end(i));
      if (end <= at) {
        continue;
      }
      ByteBuffer piece = part(layout.buffer(i), at - layout.start(i), end - layout.start(i));
      at = end;
      if (piece.remaining() >= DIRECT_BYTES) {
        flush(packed, start);
        packed = null;
        ring.send(piece);
        continue;
      }
      if (packed != null && packed.remaining() < piece.remaining()) {
        flush(packed, start);
        packed = null;
      }
      if (packed == null) {
        packed = room(piece.remaining());
        start = packed.position();
      }
      packed.put(piece);
    }
    flush(packed, start);
  }

  private void flush(@Nullable ByteBuffer packed, int start) {
    if (packed != null && packed.position() > start) {
      ring.send(packed.slice(start, packed.position() - start));
    }
  }

  private ByteBuffer room(int bytes) {
    if (page < pages.size() && pages.get(page).remaining() < bytes) {
      page++;
    }
    if (page == pages.size()) {
      pages.add(direct(CHUNK));
    }
    return pages.get(page);
  }

  /** Receives a range, adds it with factors to what is there and sends the result on. */
  void reduce(Layout layout, long from, long to, double mine, double theirs) {
    long at = from;
    while (at < to) {
      long end = layout.cut(Math.min(to, at + CHUNK));
      ByteBuffer chunk = receiveChunk(end - at);
      combine(layout, at, end, chunk, mine, theirs);
      send(layout, at, end);
      at = end;
    }
  }

  /** Adds the bytes of a range to the buffers, with factors. */
  void combine(Layout layout, long from, long to, ByteBuffer bytes, double mine, double theirs) {
    long at = from;
    for (int i = layout.indexAt(from); at < to; i++) {
      long end = Math.min(to, layout.end(i));
      if (end > at) {
        kernels.combine(
            layout.type(i),
            part(layout.buffer(i), at - layout.start(i), end - layout.start(i)),
            part(bytes, at - from, end - from),
            mine,
            theirs);
        at = end;
      }
    }
  }

  /** Receives a range into the buffers, and sends it on when asked. */
  void receive(Layout layout, long from, long to, boolean forward) {
    long at = from;
    while (at < to) {
      long end = layout.cut(Math.min(to, at + CHUNK));
      receiveChunkInto(layout, at, end);
      if (forward) {
        send(layout, at, end);
      }
      at = end;
    }
  }

  private void receiveChunkInto(Layout layout, long from, long to) {
    long run = from;
    long at = from;
    for (int i = layout.indexAt(from); at < to; i++) {
      long end = Math.min(to, layout.end(i));
      if (end - at >= DIRECT_BYTES) {
        receiveRun(layout, run, at);
        ring.receive(part(layout.buffer(i), at - layout.start(i), end - layout.start(i)));
        run = end;
      }
      at = Math.max(at, end);
    }
    receiveRun(layout, run, to);
  }

  private void receiveRun(Layout layout, long from, long to) {
    if (from == to) {
      return;
    }
    ByteBuffer bytes = receiveChunk(to - from);
    unpack(layout, from, to, bytes);
  }

  /** Copies the bytes of a range into the buffers. */
  static void unpack(Layout layout, long from, long to, ByteBuffer bytes) {
    long at = from;
    for (int i = layout.indexAt(from); at < to; i++) {
      long end = Math.min(to, layout.end(i));
      if (end > at) {
        part(layout.buffer(i), at - layout.start(i), end - layout.start(i))
            .put(part(bytes, at - from, end - from));
        at = end;
      }
    }
  }

  private ByteBuffer receiveChunk(long bytes) {
    arrival.clear().limit((int) bytes);
    ring.receive(arrival);
    return arrival.flip();
  }
}
