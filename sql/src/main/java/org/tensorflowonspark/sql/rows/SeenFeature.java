/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.tfrecord.example.FeatureKind;

/** What a feature held in the records seen so far. */
final class SeenFeature implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final FeatureKind[] KINDS = FeatureKind.values();

  /** Records by kind. */
  private final long[] records = new long[KINDS.length];

  /** A file with the kind, the first by name so that the order of files does not matter. */
  private final @Nullable String[] files = new String[KINDS.length];

  private boolean alwaysOne = true;
  private String mixedIn = "";
  private boolean mixed;

  void add(FeatureKind kind, boolean one, String file) {
    int k = kind.ordinal();
    records[k]++;
    files[k] = first(files[k], file);
    alwaysOne &= one || kind == FeatureKind.NONE;
  }

  /** A feature list whose steps hold different kinds. */
  void addMixed(String file) {
    mixedIn = mixed ? first(mixedIn, file) : file;
    mixed = true;
    alwaysOne = false;
  }

  void merge(SeenFeature other) {
    for (int k = 0; k < KINDS.length; k++) {
      records[k] += other.records[k];
      if (other.files[k] != null) {
        files[k] = first(files[k], other.files[k]);
      }
    }
    if (other.mixed) {
      addMixed(other.mixedIn);
    }
    alwaysOne &= other.alwaysOne;
  }

  private static String first(@Nullable String a, String b) {
    return a == null || b.compareTo(a) < 0 ? b : a;
  }

  /** Whether each record that has the feature, with a kind, has one value. */
  boolean isAlwaysOne() {
    return alwaysOne;
  }

  boolean isConflict() {
    return mixed || kinds().size() > 1;
  }

  /** The one kind; NONE when there is none. */
  FeatureKind kind() {
    List<FeatureKind> kinds = kinds();
    return kinds.isEmpty() ? FeatureKind.NONE : kinds.get(0);
  }

  private List<FeatureKind> kinds() {
    List<FeatureKind> kinds = new ArrayList<>();
    for (FeatureKind kind : List.of(FeatureKind.BYTES, FeatureKind.FLOAT, FeatureKind.INT64)) {
      if (records[kind.ordinal()] > 0) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    for (FeatureKind kind : kinds()) {
      int k = kind.ordinal();
      parts.add(
          kind
              + " values in "
              + records[k]
              + " records"
              + (files[k].isEmpty() ? "" : ", as in " + files[k]));
    }
    if (mixed) {
      parts.add(
          "different kinds within one list" + (mixedIn.isEmpty() ? "" : ", as in " + mixedIn));
    }
    return String.join("; ", parts);
  }
}
