/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

/**
 * One feature list of the SequenceExample that was read last. Reused; one thread; valid until the
 * next record is read.
 */
public final class FeatureListView {
  private boolean present;
  private int steps;

  /** A FeatureList message of nothing but steps: the record's, or one gathered from pieces. */
  private byte[] buffer = FeatureGatherer.EMPTY;

  private int start;
  private int end;
  private int cursor;
  private int depth;
  private byte[] gathered = FeatureGatherer.EMPTY;
  private final FeatureView step = new FeatureView();

  FeatureListView() {}

  /** Whether the record has the list at all. */
  public boolean isPresent() {
    return present;
  }

  /** Number of steps, 0 when absent. */
  public int steps() {
    return steps;
  }

  /** Goes back before the first step. */
  public void rewind() {
    cursor = start;
  }

  /** The next step's feature; the same object each time. At most {@link #steps} calls. */
  public FeatureView nextStep() {
    if (cursor == end) {
      throw new IllegalStateException("all " + steps + " steps of the list have been read");
    }
    try {
      cursor = readStep(buffer, cursor, end);
    } catch (MalformedExampleException e) {
      throw FeatureView.changed(e);
    }
    return step;
  }

  /** Makes the list absent. */
  void clear() {
    present = false;
    steps = 0;
    start = 0;
    end = 0;
    cursor = 0;
  }

  /** Makes the list one of no steps. */
  void clearPresent() {
    clear();
    present = true;
  }

  /** Takes a FeatureList message in; when the view holds one already they are merged. */
  void merge(byte[] b, int from, int to, int messagesAround) throws MalformedExampleException {
    depth = messagesAround;
    int before = steps;
    boolean plain = true;
    int at = from;
    while (at < to) {
      long tag = Wire.tag(b, at, to);
      if (Wire.value(tag) == Wire.FIELD_1) {
        at = readStep(b, at, to);
        steps++;
      } else {
        at = Wire.skip(b, Wire.value(tag), Wire.next(tag), to, depth);
        plain = false;
      }
    }
    present = true;
    if (plain && before == 0) {
      buffer = b;
      start = from;
      end = to;
    } else {
      gather(b, from, to);
    }
    rewind();
  }

  private int readStep(byte[] b, int at, int to) throws MalformedExampleException {
    long span = Wire.span(b, Wire.next(Wire.tag(b, at, to)), to);
    step.clearPresent();
    step.merge(b, Wire.next(span), Wire.value(span), depth + 1);
    return Wire.value(span);
  }

  private void gather(byte[] b, int from, int to) throws MalformedExampleException {
    int size = end - start;
    int needed = size + (to - from);
    if (needed > gathered.length || buffer != gathered) {
      byte[] target =
          needed > gathered.length
              ? new byte[(int) Math.min(needed * 2L, Integer.MAX_VALUE - 16)]
              : gathered;
      System.arraycopy(buffer, start, target, 0, size);
      gathered = target;
    }
    int at = from;
    while (at < to) {
      long tag = Wire.tag(b, at, to);
      int behind = Wire.skip(b, Wire.value(tag), Wire.next(tag), to, depth);
      if (Wire.value(tag) == Wire.FIELD_1) {
        System.arraycopy(b, at, gathered, size, behind - at);
        size += behind - at;
      }
      at = behind;
    }
    buffer = gathered;
    start = 0;
    end = size;
  }
}
