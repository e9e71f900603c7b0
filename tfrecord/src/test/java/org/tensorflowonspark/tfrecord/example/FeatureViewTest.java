/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Features;

class FeatureViewTest {
  private static final List<String> NAMES = List.of("floats", "longs", "bytes", "gone");

  private static ExampleReader readOne() throws MalformedExampleException {
    ExampleWriter writer = ExampleWriter.ofExample(NAMES);
    writer.begin();
    writer.floats(0, new float[] {1, 2}, 0, 2);
    writer.longs(1, new long[0], 0, 0);
    writer.beginBytes(2, 1);
    writer.bytes(new byte[] {7, 8}, 0, 2);
    writer.finish();
    ExampleReader reader = ExampleReader.ofExample(NAMES);
    reader.read(writer.buffer(), writer.offset(), writer.length());
    return reader;
  }

  @Test
  void tellsTheKindThatAskedValuesDoNotHave() throws MalformedExampleException {
    ExampleReader reader = readOne();
    assertThatThrownBy(() -> reader.feature(0).longs(new long[2], 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("values of INT64 asked of a feature of FLOAT");
    assertThatThrownBy(() -> reader.feature(1).firstLong())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> reader.feature(2).floats(new float[2], 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> reader.feature(3).elements(new int[1], new int[1]))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void forgetsTheRecordBefore() throws MalformedExampleException {
    ExampleReader reader = readOne();
    byte[] empty = Example.newBuilder().setFeatures(Features.newBuilder()).build().toByteArray();
    reader.read(empty, 0, empty.length);
    for (int i = 0; i < NAMES.size(); i++) {
      assertThat(reader.feature(i).kind()).isEqualTo(FeatureKind.ABSENT);
      assertThat(reader.feature(i).count()).isZero();
      assertThat(reader.feature(i).packedStart()).isEqualTo(-1);
    }
  }

  @Test
  void forgetsARecordThatWasRefused() throws MalformedExampleException {
    ExampleReader reader = readOne();
    byte[] bad = Bytes.of(7).toArray();
    assertThatThrownBy(() -> reader.read(bad, 0, bad.length))
        .isInstanceOf(MalformedExampleException.class);
    reader.read(bad, 0, 0);
    assertThat(reader.feature(0).kind()).isEqualTo(FeatureKind.ABSENT);
  }

  @Test
  void findsNamesThatDifferOnlyInTheMiddleOrInLength() throws MalformedExampleException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      names.add("sensor_%03d_measurement_value".formatted(i));
      names.add("n".repeat(i));
    }
    ExampleWriter writer = ExampleWriter.ofExample(names);
    ExampleReader reader = ExampleReader.ofExample(names);
    for (int turn = 0; turn < 3; turn++) {
      writer.begin();
      for (int i = 0; i < names.size(); i++) {
        // Another order each time, so that nothing comes where it came before.
        int index = (i * 7 + 2 * turn) % names.size();
        writer.longs(index, new long[] {index}, 0, 1);
      }
      writer.finish();
      reader.read(writer.buffer(), writer.offset(), writer.length());
      for (int i = 0; i < names.size(); i++) {
        assertThat(reader.feature(i).firstLong()).isEqualTo(i);
      }
    }
  }

  @Test
  void refusesNamesThatRepeatOrAreNotUnicode() {
    assertThatThrownBy(() -> ExampleReader.ofExample(List.of("a", "b", "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a");
    assertThatThrownBy(() -> ExampleReader.ofExample(List.of("\ud800")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ExampleWriter.ofSequenceExample(List.of(), List.of("x", "x")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tellsWhenAListHasNoMoreSteps() throws MalformedExampleException {
    ExampleWriter writer = ExampleWriter.ofSequenceExample(List.of(), List.of("steps"));
    writer.begin();
    writer.beginList(0, 2);
    writer.stepLongs(new long[] {1}, 0, 1);
    writer.stepFloats(new float[] {2}, 0, 1);
    writer.finish();
    ExampleReader reader = ExampleReader.ofSequenceExample(List.of(), List.of("steps"));
    reader.read(writer.buffer(), writer.offset(), writer.length());
    FeatureListView list = reader.featureList(0);
    for (int turn = 0; turn < 2; turn++) {
      assertThat(list.nextStep().firstLong()).isEqualTo(1);
      assertThat(list.nextStep().firstFloat()).isEqualTo(2);
      assertThatThrownBy(list::nextStep).isInstanceOf(IllegalStateException.class);
      list.rewind();
    }
  }

  @Test
  void refusesRangesOutsideTheArray() {
    ExampleReader reader = ExampleReader.ofExample(List.of());
    assertThatThrownBy(() -> reader.read(new byte[4], 2, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> reader.read(new byte[4], 0, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
