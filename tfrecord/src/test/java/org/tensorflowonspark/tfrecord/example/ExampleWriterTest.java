/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.FeatureList;
import org.tensorflow.proto.FeatureLists;
import org.tensorflow.proto.Features;
import org.tensorflow.proto.SequenceExample;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.RecordError;

class ExampleWriterTest {
  private static byte[] written(ExampleWriter writer) {
    return Arrays.copyOfRange(writer.buffer(), writer.offset(), writer.offset() + writer.length());
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22})
  void writesExamplesThatProtobufReadsAndThatAreNoLonger(long seed)
      throws InvalidProtocolBufferException {
    Gen gen = new Gen(seed);
    ExampleWriter writer = ExampleWriter.ofExample(Gen.NAMES);
    for (int i = 0; i < 3000; i++) {
      Features features = FeatureWriting.ofSomeKind(gen.features());
      writer.begin();
      FeatureWriting.write(writer, features, gen);
      writer.finish();
      byte[] record = written(writer);
      Example expected = Example.newBuilder().setFeatures(features).build();
      assertThat(Example.parseFrom(record)).as("seed %d record %d", seed, i).isEqualTo(expected);
      assertThat(record.length)
          .as("seed %d record %d", seed, i)
          .isEqualTo(expected.getSerializedSize());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {23, 24})
  void writesSequenceExamplesThatProtobufReadsAndThatAreNoLonger(long seed)
      throws InvalidProtocolBufferException {
    Gen gen = new Gen(seed);
    ExampleWriter writer = ExampleWriter.ofSequenceExample(Gen.NAMES, Gen.NAMES);
    for (int i = 0; i < 2000; i++) {
      SequenceExample random = gen.sequenceExample();
      Features context = FeatureWriting.ofSomeKind(random.getContext());
      FeatureLists lists = FeatureWriting.ofSomeKind(random.getFeatureLists());
      writer.begin();
      boolean listsFirst = gen.below(2) == 0;
      if (!listsFirst) {
        FeatureWriting.write(writer, context, gen);
      }
      FeatureWriting.write(writer, lists, gen);
      if (listsFirst) {
        FeatureWriting.write(writer, context, gen);
      }
      writer.finish();
      byte[] record = written(writer);
      SequenceExample expected =
          SequenceExample.newBuilder().setContext(context).setFeatureLists(lists).build();
      assertThat(SequenceExample.parseFrom(record))
          .as("seed %d record %d", seed, i)
          .isEqualTo(expected);
      assertThat(record.length)
          .as("seed %d record %d", seed, i)
          .isEqualTo(expected.getSerializedSize());
    }
  }

  @Test
  void keepsFeaturesThatAreWrittenBetweenLists() throws InvalidProtocolBufferException {
    ExampleWriter writer = ExampleWriter.ofSequenceExample(List.of("a", "b"), List.of("x", "y"));
    writer.begin();
    writer.beginList(0, 1);
    writer.stepLongs(new long[] {1}, 0, 1);
    writer.longs(1, new long[] {2}, 0, 1);
    writer.beginList(1, 0);
    writer.longs(0, new long[] {3}, 0, 1);
    writer.finish();
    SequenceExample read = SequenceExample.parseFrom(written(writer));
    assertThat(value(read.getContext().getFeatureOrThrow("a"))).isEqualTo(3);
    assertThat(value(read.getContext().getFeatureOrThrow("b"))).isEqualTo(2);
    FeatureLists lists = read.getFeatureLists();
    assertThat(value(lists.getFeatureListOrThrow("x").getFeature(0))).isEqualTo(1);
    assertThat(lists.getFeatureListOrThrow("y")).isEqualTo(FeatureList.getDefaultInstance());
  }

  private static long value(Feature feature) {
    return feature.getInt64List().getValue(0);
  }

  @Test
  void writesAnEmptyListSoThatItIsNotAbsent() throws InvalidProtocolBufferException {
    ExampleWriter writer = ExampleWriter.ofExample(List.of("f", "l", "b", "gone"));
    writer.begin();
    writer.floats(0, new float[0], 0, 0);
    writer.longs(1, new long[0], 0, 0);
    writer.beginBytes(2, 0);
    writer.finish();
    Features read = Example.parseFrom(written(writer)).getFeatures();
    assertThat(read.getFeatureOrThrow("f").hasFloatList()).isTrue();
    assertThat(read.getFeatureOrThrow("l").hasInt64List()).isTrue();
    assertThat(read.getFeatureOrThrow("b").hasBytesList()).isTrue();
    assertThat(read.containsFeature("gone")).isFalse();
  }

  @Test
  void movesValuesWhenTheirLengthsTakeMoreOrFewerBytesThanBefore()
      throws InvalidProtocolBufferException {
    ExampleWriter writer = ExampleWriter.ofSequenceExample(List.of("b"), List.of("s"));
    List<Integer> sizes = new ArrayList<>(List.of(0, 1, 60, 63, 64, 127, 128, 8191, 8192, 40_000));
    sizes.addAll(List.of(2_000_000, 5, 70_000, 0));
    for (int size : sizes) {
      byte[] value = new byte[size];
      Arrays.fill(value, (byte) size);
      writer.begin();
      writer.beginBytes(0, 2);
      writer.bytes(value, 0, size);
      writer.bytes(value, 0, size);
      writer.beginList(0, 2);
      writer.stepBytes(3);
      for (int i = 0; i < 3; i++) {
        int at = writer.reserveBytes(size);
        System.arraycopy(value, 0, writer.buffer(), at, size);
      }
      writer.stepBytes(1);
      writer.bytes(value, 0, size);
      writer.finish();
      byte[] record = written(writer);
      SequenceExample read = SequenceExample.parseFrom(record);
      assertThat(read.getSerializedSize()).isEqualTo(record.length);
      Feature feature = read.getContext().getFeatureOrThrow("b");
      FeatureList list = read.getFeatureLists().getFeatureListOrThrow("s");
      List<Feature> all = List.of(feature, list.getFeature(0), list.getFeature(1));
      assertThat(all.stream().map(f -> f.getBytesList().getValueCount())).containsExactly(2, 3, 1);
      for (Feature each : all) {
        each.getBytesList()
            .getValueList()
            .forEach(v -> assertThat(v.toByteArray()).isEqualTo(value));
      }
    }
  }

  @Test
  void growsWhenOnlyTheLengthsOfAListHaveNoRoom() throws InvalidProtocolBufferException {
    // The size at which the writer's first array is just full lies among these.
    for (int size = 900; size < 1100; size++) {
      ExampleWriter writer = ExampleWriter.ofSequenceExample(List.of(), List.of("s"));
      writer.begin();
      writer.beginList(0, 1);
      writer.stepBytes(1);
      writer.bytes(new byte[size], 0, size);
      writer.finish();
      SequenceExample read = SequenceExample.parseFrom(written(writer));
      Feature step = read.getFeatureLists().getFeatureListOrThrow("s").getFeature(0);
      assertThat(step.getBytesList().getValue(0).size()).isEqualTo(size);
    }
  }

  @Test
  void refusesARecordThatNoArrayCanHoldBeforeItTakesMemory() {
    ExampleWriter writer = ExampleWriter.ofExample(List.of("a", "b"));
    writer.begin();
    assertThatThrownBy(() -> writer.reserveFloats(0, 600_000_000))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining(RecordError.RECORD_TOO_LARGE.code())
        .hasMessageContaining("2400000");
    writer.begin();
    writer.beginBytes(0, 1);
    assertThatThrownBy(() -> writer.reserveBytes(Integer.MAX_VALUE))
        .isInstanceOf(TfosException.class);
    writer.begin();
    writer.beginBytes(1, 2);
    writer.reserveBytes(100);
    assertThatThrownBy(() -> writer.reserveBytes(Integer.MAX_VALUE - 50))
        .isInstanceOf(TfosException.class);
    writer.begin();
    writer.longs(0, new long[] {1}, 0, 1);
    writer.finish();
    assertThat(writer.length()).isEqualTo(14);
  }

  @Test
  void refusesCallsInTheWrongOrder() {
    List<String> names = List.of("a", "b");
    ExampleWriter writer = ExampleWriter.ofSequenceExample(names, names);
    long[] one = {1};
    refused(() -> writer.longs(0, one, 0, 1));
    refused(writer::finish);
    refused(writer::length);
    writer.begin();
    refused(writer::offset);
    refused(() -> writer.reserveBytes(1));
    refused(() -> writer.stepLongs(one, 0, 1));
    writer.longs(0, one, 0, 1);
    refused(() -> writer.longs(0, one, 0, 1));
    writer.beginBytes(1, 2);
    writer.reserveBytes(1);
    refused(writer::finish);
    refused(() -> writer.beginList(0, 1));
    writer.reserveBytes(1);
    refused(() -> writer.reserveBytes(1));
    writer.beginList(0, 2);
    writer.stepBytes(1);
    refused(() -> writer.stepLongs(one, 0, 1));
    writer.reserveBytes(1);
    refused(writer::finish);
    refused(() -> writer.beginList(1, 0));
    writer.stepLongs(one, 0, 1);
    refused(() -> writer.stepLongs(one, 0, 1));
    refused(() -> writer.beginList(0, 0));
    writer.finish();
    refused(writer::finish);
    ExampleWriter example = ExampleWriter.ofExample(names);
    example.begin();
    refused(() -> example.beginList(0, 1));
  }

  private static void refused(Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void refusesNegativeCountsAndRangesOutsideArrays() {
    ExampleWriter writer = ExampleWriter.ofExample(List.of("a"));
    writer.begin();
    assertThatThrownBy(() -> writer.reserveFloats(0, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> writer.longs(0, new long[3], 2, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> writer.floats(1, new float[3], 0, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
