/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What of a file's plain content a reader has at hand. It grows no faster than bytes arrive, so
 * that no length in a file can make it allocate more than twice what the file really holds. One
 * thread.
 */
final class ReadBuffer {
  /** Read at once: small enough to stay in the cache of a core. */
  static final int CHUNK = 128 << 10;

  private final PlainInput input;
  private boolean inputEnded;
  private @Nullable CorruptStreamException broken;

  byte[] bytes;

  /** Where in {@link #bytes} what was not taken yet begins. */
  int next;

  /** Where it ends. */
  private int limit;

  /** Where {@code bytes[0]} is in the plain content. */
  private long base;

  /**
   * @param start where the input begins in the plain content
   * @param most bytes that the input can have
   */
  ReadBuffer(PlainInput input, long start, long most) {
    this.input = input;
    this.base = start;
    this.bytes = new byte[(int) Math.max(64, Math.min(CHUNK, most))];
  }

  /** Of the next byte, in the plain content. */
  long position() {
    return base + next;
  }

  /** Bytes at hand. */
  int available() {
    return limit - next;
  }

  /** Why the content ended early; null when it did not. */
  @Nullable CorruptStreamException broken() {
    return broken;
  }

  /**
   * Brings {@code want} bytes from {@link #next} on to hand.
   *
   * @return bytes that are there, fewer than wanted only at the end of the file
   */
  int ensure(int want) throws IOException {
    while (limit - next < want) {
      if (bytes.length - next < want && next > 0) {
        System.arraycopy(bytes, next, bytes, 0, limit - next);
        base += next;
        limit -= next;
        next = 0;
      }
      if (limit == bytes.length) {
        byte[] larger = new byte[(int) Math.min(want, 2L * bytes.length)];
        System.arraycopy(bytes, 0, larger, 0, limit);
        bytes = larger;
      }
      if (!fill(Math.max(CHUNK, want - (limit - next)))) {
        break;
      }
    }
    return limit - next;
  }

  /** Goes on at a later place; at the end of the content when that comes first. */
  void moveTo(long place) throws IOException {
    while (base + limit < place) {
      base += limit;
      next = 0;
      limit = 0;
      if (!fill(CHUNK)) {
        return;
      }
    }
    next = (int) (place - base);
  }

  private boolean fill(int most) throws IOException {
    if (inputEnded) {
      return false;
    }
    try {
      int read = input.read(bytes, limit, Math.min(bytes.length - limit, most));
      if (read > 0) {
        limit += read;
        return true;
      }
    } catch (CorruptStreamException e) {
      broken = e; // what came before it is whole; whoever needs more hears of it
    }
    inputEnded = true;
    return false;
  }
}
