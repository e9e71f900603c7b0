/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.example.ExampleScanner;
import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureVisitor;
import org.tensorflowonspark.tfrecord.example.MalformedExampleException;

/**
 * Gathers what the features of records hold, and makes a schema of it. Parts of a data set are
 * gathered apart and merged, in any order with the same result. One thread.
 *
 * <ul>
 *   <li>A feature that has one value wherever it has a kind becomes a column for one value, any
 *       other an array; a feature list becomes an array of arrays.
 *   <li>INT64 becomes bigint, FLOAT float, BYTES string or binary. A feature that is never of any
 *       kind becomes a column of type void. All columns are nullable, in order of their names.
 *   <li>Different kinds in one feature, or a name that is both feature and feature list, are an
 *       error, since no column could hold them.
 * </ul>
 */
public final class SchemaInference implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Name of the column of records of type ByteArray. */
  public static final String BYTE_ARRAY_COLUMN = "byteArray";

  private final RecordType type;
  private final boolean binaryAsString;
  private final HashMap<String, SeenFeature> features = new HashMap<>();
  private final HashMap<String, SeenFeature> lists = new HashMap<>();
  private String file = "";
  private long records;
  private transient ExampleScanner scanner = new ExampleScanner();
  private transient FeatureVisitor gatherer = new Gatherer();

  private SchemaInference(RecordType type, boolean binaryAsString) {
    this.type = type;
    this.binaryAsString = binaryAsString;
  }

  /** Nothing seen yet. */
  public static SchemaInference of(RecordType type, boolean binaryAsString) {
    return new SchemaInference(type, binaryAsString);
  }

  /** Says which file the next records are from, for messages. */
  public SchemaInference from(String name) {
    file = name;
    return this;
  }

  /** Looks at one record. */
  public void add(byte[] buffer, int offset, int length) throws BadRecordException {
    add(buffer, offset, length, gatherer);
  }

  /** Looks at one record, and lets another see what is in it by the same look. */
  public void addShowing(byte[] buffer, int offset, int length, FeatureVisitor other)
      throws BadRecordException {
    add(buffer, offset, length, new Both(gatherer, other));
  }

  private void add(byte[] buffer, int offset, int length, FeatureVisitor visitor)
      throws BadRecordException {
    if (type != RecordType.BYTE_ARRAY) {
      try {
        if (type == RecordType.EXAMPLE) {
          scanner.example(buffer, offset, length, visitor);
        } else {
          scanner.sequenceExample(buffer, offset, length, visitor);
        }
      } catch (MalformedExampleException e) {
        throw BadRecords.malformed(type, e);
      }
    }
    records++;
  }

  /** Takes over what another has seen. */
  public void merge(SchemaInference other) {
    other.features.forEach((name, seen) -> seen(features, name).merge(seen));
    other.lists.forEach((name, seen) -> seen(lists, name).merge(seen));
    records += other.records;
  }

  /** Records looked at. */
  public long records() {
    return records;
  }

  /**
   * The schema of all that was seen; columns in order of their names.
   *
   * @throws TfosException when kinds of a feature cannot be reconciled
   */
  public StructType schema() {
    StructType schema = new StructType();
    if (type == RecordType.BYTE_ARRAY) {
      return schema.add(BYTE_ARRAY_COLUMN, DataTypes.BinaryType, true);
    }
    TreeSet<String> names = new TreeSet<>(features.keySet());
    names.addAll(lists.keySet());
    for (String name : names) {
      schema = schema.add(name, type(name, features.get(name), lists.get(name)), true);
    }
    return schema;
  }

  private DataType type(String name, @Nullable SeenFeature feature, @Nullable SeenFeature list) {
    if (feature != null && list != null) {
      throw conflict(
          "'" + name + "' is a feature of the context and a feature list",
          "Rename one of them where the files are written.");
    }
    SeenFeature seen = Objects.requireNonNull(feature == null ? list : feature);
    DataType value = value(name, seen);
    if (value == DataTypes.NullType || (feature != null && seen.isAlwaysOne())) {
      return value;
    }
    DataType array = DataTypes.createArrayType(value, false);
    return feature != null ? array : DataTypes.createArrayType(array, false);
  }

  private DataType value(String name, SeenFeature seen) {
    if (seen.isConflict()) {
      throw conflict(
          "Feature '" + name + "' holds " + seen,
          "Give a schema without the column, or with its type and mode=DROPMALFORMED; or read the"
              + " files apart.");
    }
    return switch (seen.kind()) {
      case INT64 -> DataTypes.LongType;
      case FLOAT -> DataTypes.FloatType;
      case BYTES -> binaryAsString ? DataTypes.StringType : DataTypes.BinaryType;
      default -> DataTypes.NullType;
    };
  }

  private static TfosException conflict(String what, String remedy) {
    return new TfosException(RowError.CONFLICTING_KINDS, what, remedy);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    scanner = new ExampleScanner();
    gatherer = new Gatherer();
  }

  private final class Gatherer implements FeatureVisitor {
    @Override
    public void onFeature(String name, FeatureKind kind, int count) {
      seen(features, name).add(kind, count == 1, file);
    }

    @Override
    public void onFeatureList(String name, FeatureKind kind, int steps, boolean mixed) {
      if (mixed) {
        seen(lists, name).addMixed(file);
      } else {
        seen(lists, name).add(kind, /* one= */ false, file);
      }
    }
  }

  private record Both(FeatureVisitor one, FeatureVisitor other) implements FeatureVisitor {
    @Override
    public void onFeature(String name, FeatureKind kind, int count) {
      one.onFeature(name, kind, count);
      other.onFeature(name, kind, count);
    }

    @Override
    public void onFeatureList(String name, FeatureKind kind, int steps, boolean mixed) {
      one.onFeatureList(name, kind, steps, mixed);
      other.onFeatureList(name, kind, steps, mixed);
    }
  }

  private static SeenFeature seen(Map<String, SeenFeature> all, String name) {
    SeenFeature known = all.get(name);
    if (known == null) {
      known = new SeenFeature();
      all.put(name, known);
    }
    return known;
  }
}
