/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import java.util.Arrays;
import java.util.List;

/**
 * Reads a map of names to features or to feature lists into the views of the names that are wanted:
 * those given, or all that there are. A name that is there twice has the value of the last one.
 */
final class MapParser {
  /** Messages around the fields of the map, of its entries, and of their values. */
  private static final int DEPTH = 1;

  private final boolean ofLists;
  private final boolean all;
  private final NameTable names;
  private final EntryShapes shapes = new EntryShapes();
  private FeatureView[] features;
  private FeatureListView[] lists;

  /** What the record has, in the order of the record. */
  private int[] seen;

  private int seenCount;

  /** Number of entries of the record so far. */
  private int position;

  /** The number of the name that came last; -1 when nobody wants it. */
  private int lastIndex = -1;

  private MapParser(boolean ofLists, boolean all, NameTable names) {
    this.ofLists = ofLists;
    this.all = all;
    this.names = names;
    features = new FeatureView[0];
    lists = new FeatureListView[0];
    seen = new int[0];
    grow(names.size());
  }

  static MapParser of(boolean ofLists, List<String> wanted) {
    return new MapParser(
        ofLists, false, new NameTable(wanted, ofLists ? "feature list" : "feature"));
  }

  static MapParser ofAll(boolean ofLists) {
    return new MapParser(ofLists, true, new NameTable());
  }

  private void grow(int size) {
    int before = seen.length;
    seen = Arrays.copyOf(seen, size);
    if (ofLists) {
      lists = Arrays.copyOf(lists, size);
      for (int i = before; i < size; i++) {
        lists[i] = new FeatureListView();
      }
    } else {
      features = Arrays.copyOf(features, size);
      for (int i = before; i < size; i++) {
        features[i] = new FeatureView();
      }
    }
  }

  int size() {
    return names.size();
  }

  String name(int index) {
    return names.name(index);
  }

  FeatureView feature(int index) {
    return features[index];
  }

  FeatureListView list(int index) {
    return lists[index];
  }

  /** Number of names that the record has, of those that are wanted. */
  int seenCount() {
    return seenCount;
  }

  /** The index of the name that came up as number {@code i} in the record. */
  int seen(int i) {
    return seen[i];
  }

  /** Forgets the record before. */
  void begin() {
    for (int i = 0; i < seenCount; i++) {
      if (ofLists) {
        lists[seen[i]].clear();
      } else {
        features[seen[i]].clear();
      }
    }
    seenCount = 0;
    position = 0;
  }

  /** Reads the fields of a Features or FeatureLists message. */
  void parse(byte[] b, int from, int to) throws MalformedExampleException {
    int at = from;
    while (at < to) {
      int fitting = sameEntry(b, at, to);
      if (fitting > 0) {
        at = fitting;
        continue;
      }
      if (to - at >= Long.BYTES) {
        // The form of nearly all small entries, told by one look at the tags and lengths of an
        // entry and its name.
        long start = (long) Wire.LONG.get(b, at);
        if ((start & 0x80ff_80ffL) == 0x000a_000aL) {
          int end = at + 2 + (((int) start >> 8) & 0x7f);
          int keyEnd = at + 4 + ((int) start >> 24);
          if (end <= to
              && keyEnd + 2 <= end
              && b[keyEnd] == Wire.FIELD_2
              && b[keyEnd + 1] == end - keyEnd - 2) {
            usualEntry(b, at + 4, keyEnd, keyEnd + 2, end);
            learn(b, at, keyEnd, end);
            at = end;
            continue;
          }
        }
      }
      long tag = Wire.tag(b, at, to);
      at = Wire.next(tag);
      if (Wire.value(tag) == Wire.FIELD_1) {
        long entry = Wire.span(b, at, to);
        at = Wire.value(entry);
        entry(b, Wire.next(entry), at);
      } else {
        at = Wire.skip(b, Wire.value(tag), at, to, DEPTH);
      }
    }
  }

  /** Takes an entry that is built like the one before; the place behind it, or 0 when it is not. */
  private int sameEntry(byte[] b, int at, int to) {
    int shape = shapes.fit(b, at, position);
    if (shape == EntryShapes.NONE) {
      return 0;
    }
    int end = at + shapes.entryLength(shape);
    if (end > to) {
      return 0;
    }
    int index = shapes.index(shape);
    if (index != EntryShapes.UNWANTED) {
      FeatureView feature = features[index];
      boolean first = feature.kind() == FeatureKind.ABSENT;
      int values = at + shapes.prefixLength(shape);
      int floats = shapes.floats(shape);
      if (floats >= 0) {
        feature.takeFloats(b, values, end, floats);
      } else if (!feature.takeVarints(b, values, end)) {
        return 0;
      }
      if (first) {
        seen[seenCount++] = index;
      }
    }
    position++;
    return end;
  }

  /** Remembers how the entry was built that has just been read. */
  private void learn(byte[] b, int at, int keyEnd, int end) {
    int index = lastIndex;
    if (ofLists) {
      return;
    }
    if (index < 0) {
      // Up to the value's length, which has been checked.
      shapes.learn(b, at, keyEnd + 2, end, position - 1, EntryShapes.UNWANTED, 0);
      return;
    }
    FeatureView feature = features[index];
    int values = feature.plainStart(b, at, end);
    if (values > 0) {
      int floats = feature.kind() == FeatureKind.FLOAT ? feature.count() : -1;
      shapes.learn(b, at, values, end, position - 1, index, floats);
    }
  }

  private void entry(byte[] b, int from, int to) throws MalformedExampleException {
    if (from < to && b[from] == Wire.FIELD_1) {
      long key = Wire.span(b, from + 1, to);
      int keyEnd = Wire.value(key);
      if (keyEnd < to && b[keyEnd] == Wire.FIELD_2) {
        long value = Wire.span(b, keyEnd + 1, to);
        if (Wire.value(value) == to) {
          usualEntry(b, Wire.next(key), keyEnd, Wire.next(value), to);
          return;
        }
      }
    }
    unusualEntry(b, from, to);
  }

  private void usualEntry(byte[] b, int key, int keyEnd, int value, int end)
      throws MalformedExampleException {
    int index = names.find(b, key, keyEnd, position++);
    lastIndex = index;
    if (index < 0) {
      if (!all) {
        return;
      }
      index = add(b, key, keyEnd);
      lastIndex = index;
    }
    if (ofLists || !takePlain(index, b, value, end)) {
      begin(index);
      merge(index, b, value, end);
    }
  }

  private boolean takePlain(int index, byte[] b, int value, int end) {
    FeatureView feature = features[index];
    boolean first = feature.kind() == FeatureKind.ABSENT;
    if (!feature.takePlain(b, value, end)) {
      return false;
    }
    if (first) {
      seen[seenCount++] = index;
    }
    return true;
  }

  /** Reads an entry with its fields in another order, in pieces, missing, or beside others. */
  private void unusualEntry(byte[] b, int from, int to) throws MalformedExampleException {
    int keyStart = from;
    int keyEnd = from;
    for (int at = from; at < to; ) {
      long tag = Wire.tag(b, at, to);
      at = Wire.skip(b, Wire.value(tag), Wire.next(tag), to, DEPTH + 1);
      if (Wire.value(tag) == Wire.FIELD_1) {
        long key = Wire.span(b, Wire.next(tag), to);
        keyStart = Wire.next(key);
        keyEnd = Wire.value(key);
        checkName(b, keyStart, keyEnd);
      }
    }
    int index = names.find(b, keyStart, keyEnd);
    if (index < 0) {
      if (!all) {
        return;
      }
      index = add(b, keyStart, keyEnd);
    }
    begin(index);
    for (int at = from; at < to; ) {
      long tag = Wire.tag(b, at, to);
      int behind = Wire.skip(b, Wire.value(tag), Wire.next(tag), to, DEPTH + 1);
      if (Wire.value(tag) == Wire.FIELD_2) {
        merge(index, b, Wire.next(Wire.span(b, Wire.next(tag), to)), behind);
      }
      at = behind;
    }
  }

  private int add(byte[] b, int from, int to) throws MalformedExampleException {
    checkName(b, from, to);
    int index = names.add(Arrays.copyOfRange(b, from, to));
    if (index == seen.length) {
      grow(index * 2 + 8);
    }
    return index;
  }

  private static void checkName(byte[] b, int from, int to) throws MalformedExampleException {
    if (!Utf8.isValid(b, from, to)) {
      throw new MalformedExampleException("a name that is not UTF-8");
    }
  }

  /** Makes the value of that name the default one. */
  private void begin(int index) {
    if (ofLists) {
      FeatureListView list = lists[index];
      if (!list.isPresent()) {
        seen[seenCount++] = index;
      }
      list.clearPresent();
    } else {
      FeatureView feature = features[index];
      if (feature.kind() == FeatureKind.ABSENT) {
        seen[seenCount++] = index;
      }
      feature.clearPresent();
    }
  }

  private void merge(int index, byte[] b, int from, int to) throws MalformedExampleException {
    try {
      if (ofLists) {
        lists[index].merge(b, from, to, DEPTH + 2);
      } else {
        features[index].merge(b, from, to, DEPTH + 2);
      }
    } catch (MalformedExampleException e) {
      throw e.in((ofLists ? "feature list '" : "feature '") + names.name(index) + "'");
    }
  }
}
