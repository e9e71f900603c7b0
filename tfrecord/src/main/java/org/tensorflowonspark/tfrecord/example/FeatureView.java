/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

/**
 * One feature of the record that was read last: a view into the record's bytes, valid until the
 * next record is read. Reused; one thread.
 */
public final class FeatureView {
  private FeatureKind kind = FeatureKind.ABSENT;
  private int count;

  /**
   * The values in the one form that getters know, whatever the record has them in: FLOAT as
   * little-endian values, INT64 as varints, BYTES as {@code value} fields.
   */
  private byte[] buffer = FeatureGatherer.EMPTY;

  private int start;
  private int end;
  private final FeatureGatherer gatherer = new FeatureGatherer();
  private final FloatRun run = new FloatRun();

  FeatureView() {}

  /** What the feature holds. */
  public FeatureKind kind() {
    return kind;
  }

  /** Number of values; 0 for features that are absent or of no kind. */
  public int count() {
    return count;
  }

  /**
   * The array in which values lie: of FLOAT for {@link #packedStart}, of BYTES for {@link
   * #elements}. The record's own array, or another one when the record holds the list in pieces.
   */
  public byte[] buffer() {
    return buffer;
  }

  /**
   * Where the values of a FLOAT feature lie one behind the other, as 4 bytes each in little-endian
   * order, in {@link #buffer}; -1 when they do not, so that {@link #floats} has to be used.
   */
  public int packedStart() {
    return kind == FeatureKind.FLOAT ? start : -1;
  }

  /** Copies the values of a FLOAT feature to {@code target} from {@code at} on. */
  public void floats(float[] target, int at) {
    check(FeatureKind.FLOAT);
    run.get(buffer, start, target, at, count);
  }

  /** Copies the values of an INT64 feature to {@code target} from {@code at} on. */
  public void longs(long[] target, int at) {
    check(FeatureKind.INT64);
    byte[] b = buffer;
    int last = end;
    int i = at;
    for (int p = start; p < last; i++) {
      int first = b[p++];
      if (first >= 0) {
        target[i] = first;
        continue;
      }
      if (p <= b.length - Long.BYTES) {
        long word = (long) Wire.LONG.get(b, p);
        long ends = ~word & Wire.CONTINUATION;
        if (ends != 0) {
          // All bytes up to the first that ends a varint, joined 7 bits each.
          word &= ends ^ (ends - 1);
          word = (word & 0x007f_007f_007f_007fL) | ((word & 0x7f00_7f00_7f00_7f00L) >>> 1);
          word = (word & 0x0000_3fff_0000_3fffL) | ((word & 0x3fff_0000_3fff_0000L) >>> 2);
          word = (word & 0x0fff_ffffL) | ((word & 0x0fff_ffff_0000_0000L) >>> 4);
          target[i] = (word << 7) | (first & 0x7f);
          p += (Long.numberOfTrailingZeros(ends) >>> 3) + 1;
          continue;
        }
      }
      target[i] = Wire.longAt(b, p - 1);
      while (b[p++] < 0) {
        // passes over what has just been read
      }
    }
  }

  /** The first value of a FLOAT feature that has one. */
  public float firstFloat() {
    checkFirst(FeatureKind.FLOAT);
    return (float) Wire.FLOAT.get(buffer, start);
  }

  /** The first value of an INT64 feature that has one. */
  public long firstLong() {
    checkFirst(FeatureKind.INT64);
    return Wire.longAt(buffer, start);
  }

  /**
   * Tells where the values of a BYTES feature lie in {@link #buffer}: value i takes {@code
   * lengths[i]} bytes from {@code starts[i]} on. Both arrays hold at least {@link #count} places.
   */
  public void elements(int[] starts, int[] lengths) {
    check(FeatureKind.BYTES);
    int p = start;
    try {
      for (int i = 0; i < count; i++) {
        long span = Wire.span(buffer, p + 1, end);
        p = Wire.value(span);
        starts[i] = Wire.next(span);
        lengths[i] = p - Wire.next(span);
      }
    } catch (MalformedExampleException e) {
      throw changed(e);
    }
  }

  /** What to throw when bytes that have been found right are no longer. */
  static IllegalStateException changed(MalformedExampleException e) {
    return new IllegalStateException("a record's bytes changed while a view of it was in use", e);
  }

  private void check(FeatureKind wanted) {
    if (kind != wanted) {
      throw new IllegalStateException("values of " + wanted + " asked of a feature of " + kind);
    }
  }

  private void checkFirst(FeatureKind wanted) {
    check(wanted);
    if (count == 0) {
      throw new IllegalStateException("the first value asked of a feature that has none");
    }
  }

  /** Makes the feature absent. */
  void clear() {
    kind = FeatureKind.ABSENT;
    count = 0;
  }

  /** Makes the feature one of no kind. */
  void clearPresent() {
    kind = FeatureKind.NONE;
    count = 0;
  }

  /**
   * Takes a Feature message in; when the view holds one already they are merged.
   *
   * @param depth messages around the Feature's fields
   */
  void merge(byte[] b, int from, int to, int depth) throws MalformedExampleException {
    boolean holds = kind != FeatureKind.ABSENT && kind != FeatureKind.NONE;
    if (holds || !takePlain(b, from, to)) {
      gatherer.begin(kind, count, buffer, start, end);
      gatherer.merge(b, from, to, depth);
      kind = gatherer.kind();
      count = gatherer.count();
      buffer = gatherer.bytes();
      start = 0;
      end = gatherer.size();
    }
  }

  /**
   * Takes a Feature in the form that all common writers use (one list, packed, and nothing else) in
   * place of what the view holds. False for all other forms, right or wrong; the view stays then.
   */
  boolean takePlain(byte[] b, int from, int to) {
    int size = to - from;
    if (size < 2) {
      return false;
    }
    int tag = b[from];
    if (tag != Wire.FIELD_1 && tag != Wire.FIELD_2 && tag != Wire.FIELD_3) {
      return false;
    }
    int list = b[from + 1] == size - 2 ? from + 2 : Wire.behindLength(b, from + 1, to);
    if (list < 0) {
      return false;
    }
    if (tag == Wire.FIELD_1) {
      return takeBytes(b, list, to);
    }
    int values = list;
    if (list < to) {
      if (to - list < 2 || b[list] != Wire.FIELD_1) {
        return false;
      }
      values = b[list + 1] == to - list - 2 ? list + 2 : Wire.behindLength(b, list + 1, to);
      if (values < 0) {
        return false;
      }
    }
    if (tag == Wire.FIELD_2) {
      if ((to - values) % Float.BYTES != 0) {
        return false;
      }
      set(FeatureKind.FLOAT, (to - values) / Float.BYTES, b, values, to);
      return true;
    }
    return takeVarints(b, values, to);
  }

  /** Takes INT64 values that are packed; false, with the view as it was, when they are none. */
  boolean takeVarints(byte[] b, int from, int to) {
    int varints = Wire.countVarints(b, from, to);
    if (varints >= 0) {
      set(FeatureKind.INT64, varints, b, from, to);
    }
    return varints >= 0;
  }

  /** Takes FLOAT values that are packed. */
  void takeFloats(byte[] b, int from, int to, int values) {
    set(FeatureKind.FLOAT, values, b, from, to);
  }

  /**
   * Where the packed FLOAT or INT64 values begin that end an entry of the record; -1 when the view
   * holds anything else.
   */
  int plainStart(byte[] b, int entryStart, int entryEnd) {
    boolean numbers = kind == FeatureKind.FLOAT || kind == FeatureKind.INT64;
    return numbers && buffer == b && start > entryStart && end == entryEnd && count > 0
        ? start
        : -1;
  }

  private boolean takeBytes(byte[] b, int from, int to) {
    int values = 0;
    for (int at = from; at < to; values++) {
      if (b[at] != Wire.FIELD_1) {
        return false;
      }
      at = Wire.behindValue(b, at + 1, to);
      if (at < 0) {
        return false;
      }
    }
    set(FeatureKind.BYTES, values, b, from, to);
    return true;
  }

  private void set(FeatureKind newKind, int newCount, byte[] b, int from, int to) {
    kind = newKind;
    count = newCount;
    buffer = b;
    start = from;
    end = to;
  }
}
