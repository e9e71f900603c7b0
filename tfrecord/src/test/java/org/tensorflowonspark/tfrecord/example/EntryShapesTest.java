/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A reader that has seen records that are built alike reads the next as one that has not. */
class EntryShapesTest {
  private static final List<String> ALL =
      List.of(
          "a", "int_1", "float_1", "floats", "ints", "text", "a name of more than 30 bytes....");

  private static final List<String> WANTED = List.of("ints", "float_1", "a", "text");

  @Test
  void whatWasReadBeforeChangesNothing() {
    for (long seed = 1; seed <= 60; seed++) {
      Random random = new Random(seed);
      ExampleReader old = ExampleReader.ofExample(WANTED);
      byte[] record = record(random, 0);
      for (int i = 0; i < 400; i++) {
        if (random.nextInt(3) == 0) {
          record = record(random, random.nextInt(3));
        }
        byte[] next = random.nextInt(3) == 0 ? mutated(random, record) : record;
        int padding = random.nextInt(2) * 40;
        byte[] buffer = Arrays.copyOf(next, next.length + padding);
        assertThat(read(old, buffer, next.length))
            .as("seed %d, record %d", seed, i)
            .isEqualTo(read(ExampleReader.ofExample(WANTED), buffer, next.length));
      }
    }
  }

  @Test
  void zerosAreNoEntry() {
    ExampleReader reader = ExampleReader.ofExample(WANTED);
    byte[] record = record(new Random(1), 0);
    assertThat(read(reader, Arrays.copyOf(record, record.length + 40), record.length)).isNotEmpty();
    byte[] zeros = new byte[200];
    zeros[0] = 0x0a;
    zeros[1] = 100;
    assertThat(read(reader, zeros, 102)).containsExactly("malformed");
  }

  private static byte[] record(Random random, int form) {
    ExampleWriter writer = ExampleWriter.ofExample(ALL);
    writer.begin();
    writer.longs(0, new long[] {random.nextInt(100)}, 0, 1);
    writer.longs(1, new long[] {form == 1 ? random.nextLong() : random.nextInt(4)}, 0, 1);
    if (form != 2) {
      writer.floats(2, new float[] {random.nextFloat()}, 0, 1);
    }
    writer.floats(3, new float[] {1, 2, random.nextFloat()}, 0, 3 - form);
    writer.longs(4, random.longs(5, 0, form == 0 ? 100 : 100_000).toArray(), 0, 5);
    byte[] text = new byte[form == 0 ? 5 : random.nextInt(200)];
    random.nextBytes(text);
    writer.beginBytes(5, 1);
    writer.bytes(text, 0, text.length);
    writer.floats(6, new float[] {random.nextFloat()}, 0, 1);
    writer.finish();
    return Arrays.copyOfRange(writer.buffer(), writer.offset(), writer.offset() + writer.length());
  }

  private static byte[] mutated(Random random, byte[] record) {
    byte[] bytes = record.clone();
    if (random.nextBoolean()) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      return bytes;
    }
    return Arrays.copyOf(bytes, random.nextInt(bytes.length));
  }

  private static List<String> read(ExampleReader reader, byte[] buffer, int length) {
    List<String> found = new ArrayList<>();
    try {
      reader.read(buffer, 0, length);
    } catch (MalformedExampleException e) {
      return List.of("malformed");
    }
    for (int i = 0; i < WANTED.size(); i++) {
      FeatureView view = reader.feature(i);
      found.add(view.kind() + " " + view.count() + " " + values(view));
    }
    return found;
  }

  private static String values(FeatureView view) {
    int count = view.count();
    switch (view.kind()) {
      case FLOAT -> {
        float[] values = new float[count];
        view.floats(values, 0);
        return Arrays.toString(values);
      }
      case INT64 -> {
        long[] values = new long[count];
        view.longs(values, 0);
        return Arrays.toString(values);
      }
      case BYTES -> {
        int[] starts = new int[count];
        int[] lengths = new int[count];
        view.elements(starts, lengths);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
          text.append(
              Arrays.toString(
                  Arrays.copyOfRange(view.buffer(), starts[i], starts[i] + lengths[i])));
        }
        return text.toString();
      }
      default -> {
        return "";
      }
    }
  }
}
