/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.util.BitSet;

/** A set of places in a file within reach of a place that only moves forwards. One thread. */
final class RejectedPlaces {
  private final int reach;
  private BitSet bits = new BitSet();
  private long start;

  /** Places further than {@code reach} are not remembered. */
  RejectedPlaces(long reach) {
    this.reach = Math.toIntExact(reach);
  }

  void clear(long from) {
    bits.clear();
    start = from;
  }

  /** Makes room: places before {@code place} are not asked for any more. */
  void forgetBefore(long place) {
    long distance = place - start;
    if (distance >= reach) {
      clear(place);
    } else if (distance >= reach / 2) {
      bits = bits.get((int) distance, reach);
      start = place;
    }
  }

  void add(long place) {
    if (place - start < reach) {
      bits.set((int) (place - start));
    }
  }

  boolean has(long place) {
    long bit = place - start;
    return bit >= 0 && bit < reach && bits.get((int) bit);
  }
}
