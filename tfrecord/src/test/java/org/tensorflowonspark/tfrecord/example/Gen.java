/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.tensorflow.proto.BytesList;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.FeatureList;
import org.tensorflow.proto.FeatureLists;
import org.tensorflow.proto.Features;
import org.tensorflow.proto.FloatList;
import org.tensorflow.proto.Int64List;
import org.tensorflow.proto.SequenceExample;

/** Seeded random messages: as protobuf writes them, and in all the other forms that it reads. */
final class Gen {
  static final List<String> NAMES =
      List.of(
          "",
          "a",
          "b",
          "image/height",
          "exactly8",
          "sixteen_bytes_xx",
          "a.name.with.dots",
          "sensor_001_measurement_value",
          "sensor_002_measurement_value",
          "größe",
          "\ud83d\ude80 rocket",
          "n".repeat(300));

  private static final long[] LONGS = {
    0, 1, -1, 127, 128, 16383, 16384, 1L << 28, 1L << 56, Long.MAX_VALUE, Long.MIN_VALUE
  };
  private static final int[] FLOATS = {
    0, 0x8000_0000, 0x7fc0_0001, 0xffc0_1234, 0x7f80_0001, 0x7f80_0000, 1, 0x3f80_0000
  };
  private static final int[] LIKELY = {0, 1, 2, 8, 10, 11, 12, 13, 18, 26, 0x7f, 0x80, 0x8a, 0xff};

  final Random random;

  Gen(long seed) {
    random = new Random(seed);
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  long nextLong() {
    return oneIn(3) ? LONGS[below(LONGS.length)] : random.nextLong() >>> below(64);
  }

  float nextFloat() {
    return Float.intBitsToFloat(oneIn(3) ? FLOATS[below(FLOATS.length)] : random.nextInt());
  }

  private int count() {
    return oneIn(3) ? below(2) : below(24);
  }

  private ByteString value() {
    byte[] value = new byte[oneIn(8) ? 200 : below(12)];
    random.nextBytes(value);
    return ByteString.copyFrom(value);
  }

  Feature feature() {
    int count = count();
    Feature.Builder feature = Feature.newBuilder();
    switch (below(7)) {
      case 0, 1 -> {
        BytesList.Builder list = feature.getBytesListBuilder();
        for (int i = 0; i < count; i++) {
          list.addValue(value());
        }
      }
      case 2, 3 -> {
        FloatList.Builder list = feature.getFloatListBuilder();
        for (int i = 0; i < count; i++) {
          list.addValue(nextFloat());
        }
      }
      case 4, 5 -> {
        Int64List.Builder list = feature.getInt64ListBuilder();
        for (int i = 0; i < count; i++) {
          list.addValue(nextLong());
        }
      }
      default -> {
        // of no kind
      }
    }
    return feature.build();
  }

  List<String> someNames() {
    List<String> names = new ArrayList<>(NAMES);
    Collections.shuffle(names, random);
    return new ArrayList<>(names.subList(0, below(names.size() + 1)));
  }

  Features features() {
    Features.Builder features = Features.newBuilder();
    for (String name : someNames()) {
      features.putFeature(name, feature());
    }
    return features.build();
  }

  Example example() {
    return Example.newBuilder().setFeatures(features()).build();
  }

  private FeatureList featureList() {
    FeatureList.Builder list = FeatureList.newBuilder();
    for (int steps = below(5); steps > 0; steps--) {
      list.addFeature(feature());
    }
    return list.build();
  }

  SequenceExample sequenceExample() {
    FeatureLists.Builder lists = FeatureLists.newBuilder();
    for (String name : someNames()) {
      lists.putFeatureList(name, featureList());
    }
    return SequenceExample.newBuilder().setContext(features()).setFeatureLists(lists).build();
  }

  /** A field that none of the messages knows, or a known one of a wire type that it has not. */
  private byte[] unknown() {
    int field = oneIn(3) ? 3 + below(20) : 5_000_000;
    return switch (below(6)) {
      case 0 -> new Bytes().tag(field, 0).varint(nextLong()).toArray();
      case 1 -> new Bytes().tag(field, 1).raw(new byte[8]).toArray();
      case 2 -> new Bytes().tag(Math.max(field, 4), 2).varint(3).raw(new byte[3]).toArray();
      case 3 -> new Bytes().groups(field, 1 + below(4)).toArray();
      case 4 -> new Bytes().tag(3, 5).raw(new byte[4]).toArray();
      default -> new Bytes().tag(2, 0).varint(below(1000), 1 + below(9)).toArray();
    };
  }

  /** A message with a length that is written longer than it has to be now and then. */
  private void put(Bytes out, int field, byte[] body) {
    out.varint(((long) field << 3) | 2, oneIn(4) ? 1 + below(10) : 1);
    out.varint(body.length, oneIn(4) ? 1 + below(10) : 1).raw(body);
  }

  private byte[] unusualList(int kind) {
    Bytes list = new Bytes();
    for (int parts = below(4); parts > 0; parts--) {
      if (oneIn(4)) {
        list.raw(unknown());
      }
      if (kind == 1) {
        put(list, 1, value().toByteArray());
      } else if (kind == 2 && oneIn(2)) {
        list.tag(1, 5).raw(floats(1));
      } else if (kind == 2) {
        put(list, 1, floats(below(5)));
      } else if (oneIn(2)) {
        list.tag(1, 0).varint(below(300), 1 + below(10));
      } else {
        Bytes packed = new Bytes();
        for (int values = below(5); values > 0; values--) {
          packed.varint(nextLong());
        }
        put(list, 1, packed.toArray());
      }
    }
    return list.toArray();
  }

  private byte[] floats(int count) {
    Bytes bytes = new Bytes();
    for (int i = 0; i < count; i++) {
      int bits = Float.floatToRawIntBits(nextFloat());
      bytes.raw(
          new byte[] {(byte) bits, (byte) (bits >> 8), (byte) (bits >> 16), (byte) (bits >> 24)});
    }
    return bytes.toArray();
  }

  private byte[] unusualFeature() {
    if (oneIn(3)) {
      return feature().toByteArray();
    }
    Bytes feature = new Bytes();
    int kind = 1 + below(3);
    for (int parts = below(4); parts > 0; parts--) {
      if (oneIn(4)) {
        feature.raw(unknown());
      }
      put(feature, kind, unusualList(kind));
      kind = oneIn(3) ? 1 + below(3) : kind;
    }
    return feature.toArray();
  }

  private byte[] unusualFeatureList() {
    Bytes list = new Bytes();
    for (int steps = below(4); steps > 0; steps--) {
      if (oneIn(4)) {
        list.raw(unknown());
      }
      put(list, 1, unusualFeature());
    }
    return list.toArray();
  }

  private byte[] unusualMap(boolean ofLists) {
    Bytes map = new Bytes();
    for (int entries = below(6); entries > 0; entries--) {
      if (oneIn(5)) {
        map.raw(unknown());
      }
      Bytes entry = new Bytes();
      for (int fields = below(5); fields > 0; fields--) {
        switch (below(5)) {
          case 0, 1 -> put(entry, 1, NAMES.get(below(4)).getBytes(UTF_8));
          case 2, 3 -> put(entry, 2, ofLists ? unusualFeatureList() : unusualFeature());
          default -> entry.raw(unknown());
        }
      }
      put(map, 1, entry.toArray());
    }
    return map.toArray();
  }

  /** An Example in forms that no common writer uses, which protobuf reads all the same. */
  byte[] unusualExample() {
    Bytes example = new Bytes();
    for (int parts = below(4); parts > 0; parts--) {
      put(example, 1, oneIn(3) ? features().toByteArray() : unusualMap(false));
      if (oneIn(4)) {
        example.raw(unknown());
      }
    }
    return example.toArray();
  }

  byte[] unusualSequenceExample() {
    Bytes example = new Bytes();
    for (int parts = below(5); parts > 0; parts--) {
      if (oneIn(2)) {
        put(example, 1, oneIn(3) ? features().toByteArray() : unusualMap(false));
      } else {
        put(example, 2, unusualMap(true));
      }
      if (oneIn(4)) {
        example.raw(unknown());
      }
    }
    return example.toArray();
  }

  /** Damages a record in one to three places; {@code other} gives bytes to put in. */
  byte[] damaged(byte[] record, byte[] other) {
    byte[] damaged = record.clone();
    for (int times = 1 + below(3); times > 0; times--) {
      damaged = damagedOnce(damaged, other);
    }
    return damaged;
  }

  private byte[] damagedOnce(byte[] b, byte[] other) {
    if (b.length == 0) {
      return Bytes.of(LIKELY[below(LIKELY.length)]).toArray();
    }
    int at = below(b.length);
    int length = Math.min(b.length - at, 1 + below(8));
    byte[] head = Arrays.copyOf(b, at);
    byte[] tail = Arrays.copyOfRange(b, at, b.length);
    switch (below(8)) {
      case 0, 1 -> b[at] ^= (byte) (1 << below(8));
      case 2 -> b[at] = (byte) LIKELY[below(LIKELY.length)];
      case 3 -> {
        return head;
      }
      case 4 -> {
        return Bytes.concat(head, Bytes.of(LIKELY[below(LIKELY.length)]).toArray(), tail);
      }
      case 5 -> {
        int from = below(other.length + 1);
        int to = Math.min(other.length, from + length * 4);
        return Bytes.concat(head, Arrays.copyOfRange(other, from, to), tail);
      }
      case 6 -> {
        return Bytes.concat(head, Arrays.copyOfRange(b, at + length, b.length));
      }
      default -> {
        int from = below(b.length - length + 1);
        byte[] moved = Arrays.copyOfRange(b, at, at + length);
        System.arraycopy(b, from, b, at, length);
        System.arraycopy(moved, 0, b, from, length);
      }
    }
    return b;
  }
}
