/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random records, whole and damaged, against protobuf's own parser. */
class ProtobufAgreementTest {
  private static final int MESSAGES = 800;
  private static final int DAMAGED = 16;

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void readsExamplesAsProtobufDoes(long seed) {
    Gen gen = new Gen(seed);
    Agreement all = new Agreement(Gen.NAMES, List.of());
    for (int i = 0; i < MESSAGES; i++) {
      String context = "seed " + seed + " message " + i;
      all.checkExample(gen.example().toByteArray(), context);
      all.checkExample(gen.unusualExample(), context + " unusual");
      Agreement some = new Agreement(gen.someNames(), List.of());
      some.checkExample(gen.example().toByteArray(), context + " some");
      some.checkExample(gen.unusualExample(), context + " unusual, some");
    }
    assertThat(all.accepted).as("seed %d", seed).isEqualTo(2 * MESSAGES);
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 4})
  void readsSequenceExamplesAsProtobufDoes(long seed) {
    Gen gen = new Gen(seed);
    Agreement all = new Agreement(Gen.NAMES, Gen.NAMES);
    for (int i = 0; i < MESSAGES; i++) {
      String context = "seed " + seed + " message " + i;
      all.checkSequence(gen.sequenceExample().toByteArray(), context);
      all.checkSequence(gen.unusualSequenceExample(), context + " unusual");
      Agreement some = new Agreement(gen.someNames(), gen.someNames());
      some.checkSequence(gen.sequenceExample().toByteArray(), context + " some");
      some.checkSequence(gen.unusualSequenceExample(), context + " unusual, some");
    }
    assertThat(all.accepted).as("seed %d", seed).isEqualTo(2 * MESSAGES);
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  void refusesDamagedExamplesAsProtobufDoes(long seed) {
    Gen gen = new Gen(seed);
    Agreement all = new Agreement(Gen.NAMES, List.of());
    for (int i = 0; i < MESSAGES; i++) {
      byte[] record = i % 2 == 0 ? gen.example().toByteArray() : gen.unusualExample();
      byte[] other = gen.unusualExample();
      for (int j = 0; j < DAMAGED; j++) {
        all.checkExample(gen.damaged(record, other), "seed " + seed + " message " + i + "." + j);
      }
    }
    assertThat(all.accepted).as("seed %d", seed).isGreaterThan(1000);
    assertThat(all.refused).as("seed %d", seed).isGreaterThan(1000);
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 8})
  void refusesDamagedSequenceExamplesAsProtobufDoes(long seed) {
    Gen gen = new Gen(seed);
    Agreement all = new Agreement(Gen.NAMES, Gen.NAMES);
    for (int i = 0; i < MESSAGES; i++) {
      byte[] record =
          i % 2 == 0 ? gen.sequenceExample().toByteArray() : gen.unusualSequenceExample();
      byte[] other = gen.unusualSequenceExample();
      for (int j = 0; j < DAMAGED; j++) {
        all.checkSequence(gen.damaged(record, other), "seed " + seed + " message " + i + "." + j);
      }
    }
    assertThat(all.accepted).as("seed %d", seed).isGreaterThan(1000);
    assertThat(all.refused).as("seed %d", seed).isGreaterThan(1000);
  }

  @Test
  void agreesOnEveryFlippedBitAndEveryCut() {
    Agreement all = new Agreement(Gen.NAMES, Gen.NAMES);
    Gen gen = new Gen(10);
    for (int i = 0; i < 4; i++) {
      byte[] example = small(() -> gen.example().toByteArray());
      for (int bit = 0; bit < example.length * 8; bit++) {
        all.checkExample(flip(example, bit), "example " + i + " bit " + bit);
      }
      for (int length = 0; length <= example.length; length++) {
        all.checkExample(Arrays.copyOf(example, length), "example " + i + " cut");
      }
      byte[] sequence = small(gen::unusualSequenceExample);
      for (int bit = 0; bit < sequence.length * 8; bit++) {
        all.checkSequence(flip(sequence, bit), "sequence " + i + " bit " + bit);
      }
      for (int length = 0; length <= sequence.length; length++) {
        all.checkSequence(Arrays.copyOf(sequence, length), "sequence " + i + " cut");
      }
    }
    assertThat(all.accepted).isGreaterThan(100);
    assertThat(all.refused).isGreaterThan(100);
  }

  private static byte[] small(Supplier<byte[]> records) {
    byte[] record = records.get();
    while (record.length < 100 || record.length > 400) {
      record = records.get();
    }
    return record;
  }

  private static byte[] flip(byte[] record, int bit) {
    byte[] flipped = record.clone();
    flipped[bit / 8] ^= (byte) (1 << bit % 8);
    return flipped;
  }
}
