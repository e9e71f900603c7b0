/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes one record after the other into a buffer of its own, straight from primitive values. Call
 * {@link #begin}, then features in any order, each at most once, then {@link #finish}. Features
 * that are not written are absent. One thread.
 */
public final class ExampleWriter {
  private static final byte @Nullable [] STEP = null;

  private final boolean sequence;
  private final byte[][] featureKeys;
  private final byte[][] listKeys;

  /** The record in which each feature and each list was written last. */
  private final long[] featureRecords;

  private final long[] listRecords;

  /** Bytes that each had in the record before: a good guess of the room that its header takes. */
  private final int[] featureSizes;

  private final int[] listSizes;
  private final int[] stepSizes;

  private final RecordBuffer features = new RecordBuffer();
  private final RecordBuffer lists = new RecordBuffer();
  private RecordBuffer current = features;
  private final FloatRun run = new FloatRun();
  private long record;
  private boolean begun;
  private int offset;

  /** Values of a BYTES feature that are still to come. */
  private int valuesLeft;

  private int valueCount;
  private int bytesIndex;
  private int bytesStart;
  private int bytesGap;

  /** Steps of a list that are still to come. */
  private int stepsLeft;

  /** The list whose header is not written yet, or -1. */
  private int list = -1;

  private int listStart;
  private int listGap;

  private ExampleWriter(boolean sequence, List<String> features, List<String> featureLists) {
    this.sequence = sequence;
    featureKeys = RecordBuffer.keys(features, "feature");
    listKeys = RecordBuffer.keys(featureLists, "feature list");
    featureRecords = new long[features.size()];
    listRecords = new long[featureLists.size()];
    featureSizes = new int[features.size()];
    listSizes = new int[featureLists.size()];
    stepSizes = new int[featureLists.size()];
  }

  /** Writes {@code tf.train.Example} with features of these names. */
  public static ExampleWriter ofExample(List<String> features) {
    return new ExampleWriter(/* sequence= */ false, features, List.of());
  }

  /** Writes {@code tf.train.SequenceExample}. */
  public static ExampleWriter ofSequenceExample(
      List<String> contextFeatures, List<String> featureLists) {
    return new ExampleWriter(/* sequence= */ true, contextFeatures, featureLists);
  }

  /** Begins a record; what the one before left in the buffer is gone. */
  public void begin() {
    record++;
    begun = true;
    features.resize(RecordBuffer.HEADER);
    lists.resize(0);
    current = features;
    valuesLeft = 0;
    stepsLeft = 0;
    list = -1;
  }

  /**
   * Makes room for a FLOAT feature: the caller puts {@code count} values, 4 bytes each in
   * little-endian order, into {@link #buffer} from the returned offset on, before the next call.
   */
  public int reserveFloats(int feature, int count) {
    checkCount(count);
    beginFeature(feature);
    return reserveFloats(featureKeys[feature], count);
  }

  /** Writes a FLOAT feature. */
  public void floats(int feature, float[] values, int from, int count) {
    Objects.checkFromIndexSize(from, count, values.length);
    int at = reserveFloats(feature, count);
    run.put(current.bytes(), at, values, from, count);
  }

  /** Writes an INT64 feature. */
  public void longs(int feature, long[] values, int from, int count) {
    Objects.checkFromIndexSize(from, count, values.length);
    beginFeature(feature);
    putLongs(featureKeys[feature], values, from, count);
  }

  /** Begins a BYTES feature of {@code count} values, each written by {@link #bytes}. */
  public void beginBytes(int feature, int count) {
    checkCount(count);
    beginFeature(feature);
    bytesIndex = feature;
    beginBytes(featureKeys[feature], count, featureSizes[feature]);
  }

  /**
   * Makes room for the next value of the BYTES feature begun last (or step of it): the caller puts
   * {@code length} bytes into {@link #buffer} from the returned offset on, before the next call.
   */
  public int reserveBytes(int length) {
    checkCount(length);
    if (valuesLeft == 0) {
      throw new IllegalStateException("no value of a BYTES feature is to come");
    }
    RecordBuffer out = current;
    byte @Nullable [] key = out == features ? featureKeys[bytesIndex] : STEP;
    if (valueCount == 1) {
      out.putRunHeader(key, Wire.FIELD_1, length);
      valuesLeft = 0;
      return out.skip(length);
    }
    out.room(RecordBuffer.HEADER + (long) length);
    out.putTagged(Wire.FIELD_1, length);
    valuesLeft--;
    if (valuesLeft == 0) {
      int values = out.size() + length - bytesStart - bytesGap;
      closeBytes(out, key, values);
      out.room(length);
    }
    return out.skip(length);
  }

  /** Writes the next value of the BYTES feature begun last. */
  public void bytes(byte[] data, int from, int length) {
    Objects.checkFromIndexSize(from, length, data.length);
    int at = reserveBytes(length);
    System.arraycopy(data, from, current.bytes(), at, length);
  }

  /**
   * Begins a feature list of {@code steps} steps; each step is then written by one of {@link
   * #reserveStepFloats}, {@link #stepFloats}, {@link #stepLongs} and {@link #stepBytes}.
   */
  public void beginList(int featureList, int steps) {
    checkCount(steps);
    checkComplete();
    if (!sequence) {
      throw new IllegalStateException("an Example has no feature lists");
    }
    mark(listRecords, featureList, "feature list");
    closeList();
    current = lists;
    list = featureList;
    stepsLeft = steps;
    listStart = lists.size();
    listGap = RecordBuffer.listHeaderSize(listKeys[featureList], listSizes[featureList]);
    lists.room(listGap);
    lists.skip(listGap);
  }

  /** As {@link #reserveFloats}, for the next step of the list begun last. */
  public int reserveStepFloats(int count) {
    checkCount(count);
    beginStep();
    return reserveFloats(STEP, count);
  }

  /** Writes the next step of the list begun last. */
  public void stepFloats(float[] values, int from, int count) {
    Objects.checkFromIndexSize(from, count, values.length);
    int at = reserveStepFloats(count);
    run.put(current.bytes(), at, values, from, count);
  }

  /** Writes the next step of the list begun last. */
  public void stepLongs(long[] values, int from, int count) {
    Objects.checkFromIndexSize(from, count, values.length);
    beginStep();
    putLongs(STEP, values, from, count);
  }

  /** Begins the next step of the list begun last; {@code count} values by {@link #bytes} follow. */
  public void stepBytes(int count) {
    checkCount(count);
    beginStep();
    beginBytes(STEP, count, stepSizes[list]);
  }

  /** Completes the record. */
  public void finish() {
    checkComplete();
    closeList();
    current = features;
    int featuresSize = features.size() - RecordBuffer.HEADER;
    if (sequence) {
      features.room(RecordBuffer.HEADER + (long) lists.size());
      features.putTagged(Wire.FIELD_2, lists.size());
      features.put(lists.bytes(), 0, lists.size());
    }
    offset = RecordBuffer.HEADER - 1 - Wire.sizeOf(featuresSize);
    byte[] b = features.bytes();
    b[offset] = Wire.FIELD_1;
    Wire.putVarint(b, offset + 1, featuresSize);
    begun = false;
  }

  /** The array that holds the record; it may be another one after each call. */
  public byte[] buffer() {
    return current.bytes();
  }

  /** Where the finished record begins. */
  public int offset() {
    checkFinished();
    return offset;
  }

  /** Bytes of the finished record. */
  public int length() {
    checkFinished();
    return features.size() - offset;
  }

  private int reserveFloats(byte @Nullable [] key, int count) {
    RecordBuffer out = current;
    if (count == 0) {
      out.putEmpty(key, Wire.FIELD_2);
      return out.size();
    }
    out.putRunHeader(key, Wire.FIELD_2, count * (long) Float.BYTES);
    return out.skip(count * Float.BYTES);
  }

  private void putLongs(byte @Nullable [] key, long[] values, int from, int count) {
    RecordBuffer out = current;
    if (count == 0) {
      out.putEmpty(key, Wire.FIELD_3);
      return;
    }
    long size = 0;
    for (int i = from; i < from + count; i++) {
      size += Wire.sizeOf(values[i]);
    }
    out.putRunHeader(key, Wire.FIELD_3, size);
    out.putLongs(values, from, count);
  }

  /** Leaves a gap for the header, which needs the length of all values. */
  private void beginBytes(byte @Nullable [] key, int count, int guess) {
    valueCount = count;
    valuesLeft = count;
    if (count == 0) {
      current.putEmpty(key, Wire.FIELD_1);
    } else if (count > 1) {
      bytesStart = current.size();
      bytesGap = RecordBuffer.headerSize(key, guess);
      current.room(bytesGap);
      current.skip(bytesGap);
    }
  }

  private void closeBytes(RecordBuffer out, byte @Nullable [] key, int values) {
    out.move(bytesStart + bytesGap, bytesStart + RecordBuffer.headerSize(key, values));
    int end = out.size();
    out.resize(bytesStart);
    out.putHeader(key, Wire.FIELD_1, values);
    out.resize(end);
    if (key == null) {
      stepSizes[list] = values;
    } else {
      featureSizes[bytesIndex] = values;
    }
  }

  private void closeList() {
    if (list < 0) {
      return;
    }
    byte[] key = listKeys[list];
    int steps = lists.size() - listStart - listGap;
    lists.move(listStart + listGap, listStart + RecordBuffer.listHeaderSize(key, steps));
    int end = lists.size();
    lists.resize(listStart);
    lists.putListHeader(key, steps);
    lists.resize(end);
    listSizes[list] = steps;
    list = -1;
  }

  private void beginFeature(int feature) {
    checkComplete();
    mark(featureRecords, feature, "feature");
    current = features;
  }

  private void beginStep() {
    if (stepsLeft == 0 || valuesLeft != 0) {
      throw new IllegalStateException(
          stepsLeft == 0
              ? "no step of a feature list is to come"
              : valuesLeft + " values of the step before are missing");
    }
    stepsLeft--;
  }

  private void mark(long[] records, int index, String what) {
    if (records[index] == record) {
      throw new IllegalStateException(what + " " + index + " is written twice");
    }
    records[index] = record;
  }

  private void checkComplete() {
    if (!begun || valuesLeft != 0 || stepsLeft != 0) {
      throw new IllegalStateException(
          !begun
              ? "no record is begun"
              : valuesLeft != 0
                  ? valuesLeft + " values of a BYTES feature are missing"
                  : stepsLeft + " steps of a feature list are missing");
    }
  }

  private void checkFinished() {
    if (begun || record == 0) {
      throw new IllegalStateException("no record is finished");
    }
  }

  private static void checkCount(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("a count of " + count);
    }
  }
}
