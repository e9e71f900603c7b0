/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Single forms of the wire format, each against protobuf's own parser. */
class WireFormsTest {
  private final Agreement agreement = new Agreement(List.of("a", "b", ""), List.of("a", "b"));

  /** A Features message with one feature of name a. */
  private static byte[] features(byte[] feature) {
    return new Bytes().field(1, entry("a", feature)).toArray();
  }

  private static byte[] entry(String name, byte[] value) {
    return new Bytes().field(1, name.getBytes(UTF_8)).field(2, value).toArray();
  }

  private static byte[] example(byte[] features) {
    return new Bytes().field(1, features).toArray();
  }

  private static byte[] longs(byte[] list) {
    return new Bytes().field(3, list).toArray();
  }

  private void accepted(byte[] record) {
    int before = agreement.accepted;
    agreement.checkExample(record, "accepted");
    assertThat(agreement.accepted).isEqualTo(before + 1);
  }

  private void refused(byte[] record) {
    int before = agreement.refused;
    agreement.checkExample(record, "refused");
    assertThat(agreement.refused).isEqualTo(before + 1);
  }

  private static String reason(byte[] record) {
    ExampleReader reader = ExampleReader.ofExample(List.of("a"));
    try {
      reader.read(record, 0, record.length);
    } catch (MalformedExampleException e) {
      return e.getMessage();
    }
    throw new AssertionError("accepted");
  }

  @Test
  void refusesGroupsNestedTooDeepWhereverTheyLie() {
    for (int depth = 1; depth <= 1100; depth += depth < 90 || depth > 110 ? 7 : 1) {
      byte[] groups = new Bytes().groups(5, depth).toArray();
      byte[] list = new Bytes().field(1, Bytes.concat(longs(groups))).toArray();
      String context = "depth " + depth;
      agreement.checkExample(groups, context);
      agreement.checkExample(example(groups), context);
      agreement.checkExample(example(new Bytes().field(1, groups).toArray()), context);
      agreement.checkExample(example(features(groups)), context);
      agreement.checkExample(example(features(longs(groups))), context);
      byte[] lists = new Bytes().field(1, entry("a", list)).toArray();
      agreement.checkSequence(new Bytes().field(2, lists).toArray(), context);
      byte[] deep = new Bytes().field(1, entry("a", groups)).toArray();
      agreement.checkSequence(new Bytes().field(2, deep).toArray(), context);
    }
    assertThat(agreement.accepted).isGreaterThan(100);
    assertThat(agreement.refused).isGreaterThan(100);
  }

  @Test
  void refusesGroupsThatEndWrongly() {
    accepted(new Bytes().tag(7, 3).tag(9, 0).varint(5).tag(7, 4).toArray());
    refused(new Bytes().tag(7, 3).tag(8, 4).toArray());
    refused(new Bytes().tag(7, 3).toArray());
    refused(new Bytes().tag(7, 4).toArray());
    refused(new Bytes().tag(7, 3).tag(6, 3).tag(7, 4).tag(6, 4).toArray());
  }

  @Test
  void refusesVarintsOfElevenBytes() {
    for (int bytes = 1; bytes <= 12; bytes++) {
      byte[] one = new Bytes().varint(1, bytes).toArray();
      byte[] packed = longs(new Bytes().field(1, Bytes.concat(one, new byte[9])).toArray());
      byte[] single = longs(new Bytes().tag(1, 0).raw(one).raw(new byte[] {8, 0}).toArray());
      byte[] unknown = new Bytes().tag(9, 0).raw(one).toArray();
      byte[] tag = new Bytes().varint(9 << 3, bytes).varint(1).toArray();
      byte[] length = new Bytes().tag(9, 2).varint(1, bytes).raw(new byte[1]).toArray();
      for (byte[] part : List.of(packed, single, unknown, tag, length)) {
        byte[] record = example(features(part));
        if (bytes <= 10) {
          accepted(record);
        } else {
          refused(record);
          assertThat(reason(record)).startsWith("feature 'a' has ").contains("varint");
        }
      }
    }
  }

  @Test
  void refusesFieldNumberZeroAndWireTypesThatDoNotExist() {
    for (int tag = 0; tag < 8; tag++) {
      refused(Bytes.of(tag, 0, 0, 0, 0, 0, 0, 0, 0).toArray());
    }
    refused(Bytes.of((9 << 3) | 6, 0).toArray());
    refused(Bytes.of((9 << 3) | 7, 0).toArray());
    assertThat(reason(Bytes.of((9 << 3) | 7, 0).toArray()))
        .isEqualTo("the record has a field of wire type 7");
  }

  @Test
  void refusesLengthsThatReachTooFarOrAreNegative() {
    for (long length : new long[] {4, 1000, Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 1L << 31}) {
      refused(new Bytes().tag(1, 2).varint(length).raw(new byte[3]).toArray());
      refused(new Bytes().tag(9, 2).varint(length).raw(new byte[3]).toArray());
      byte[] inside = new Bytes().tag(1, 2).varint(length).raw(new byte[3]).toArray();
      refused(example(inside));
      refused(example(features(inside)));
      refused(example(features(longs(inside))));
    }
    // Of a length only the low 32 bits count.
    accepted(new Bytes().tag(9, 2).varint((1L << 32) + 3).raw(new byte[3]).toArray());
  }

  @Test
  void refusesPackedFloatsThatDoNotFillTheirLength() {
    for (int bytes = 0; bytes <= 9; bytes++) {
      byte[] list = new Bytes().field(1, new byte[bytes]).toArray();
      byte[] record = example(features(new Bytes().field(2, list).toArray()));
      if (bytes % 4 == 0) {
        accepted(record);
      } else {
        refused(record);
      }
    }
  }

  @Test
  void takesKnownFieldsOfAnotherWireTypeForUnknownOnes() {
    byte[] fixed = new Bytes().tag(1, 5).raw(new byte[4]).toArray();
    byte[] varint = new Bytes().tag(1, 0).varint(7).toArray();
    accepted(Bytes.concat(fixed, varint));
    accepted(example(Bytes.concat(fixed, varint, features(longs(varint)))));
    accepted(example(features(Bytes.concat(fixed, varint))));
    accepted(example(features(longs(fixed))));
    accepted(example(features(new Bytes().field(2, varint).toArray())));
    accepted(example(features(new Bytes().field(1, Bytes.concat(varint, fixed)).toArray())));
    accepted(example(new Bytes().field(1, Bytes.concat(fixed, varint)).toArray()));
  }

  @Test
  void refusesNamesThatAreNotUtf8() {
    ExampleScanner scanner = new ExampleScanner();
    for (int first = 0x7f; first <= 0xff; first++) {
      for (int second : new int[] {0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0}) {
        for (int third : new int[] {0x7f, 0x80, 0xbf}) {
          byte[] name = Bytes.of('x', first, second, third, 0x80).toArray();
          byte[] features =
              new Bytes()
                  .field(1, new Bytes().field(1, name).field(2, new byte[0]).toArray())
                  .toArray();
          agreement.checkExample(example(features), "name");
          byte[] cut = Arrays.copyOf(name, 4);
          features = new Bytes().field(1, new Bytes().field(1, cut).toArray()).toArray();
          agreement.checkExample(example(features), "cut name");
        }
      }
    }
    assertThat(agreement.accepted).isGreaterThan(100);
    byte[] wrong = Bytes.of(0x0a, 4, 0x0a, 2, 0x0a, 0xff).toArray();
    assertThatThrownBy(
            () -> scanner.example(example(wrong), 0, wrong.length + 2, new ListSummary()))
        .isInstanceOf(MalformedExampleException.class);
  }

  @Test
  void mergesAndReplacesAsTheSpecificationSays() {
    byte[] one = longs(new Bytes().tag(1, 0).varint(1).toArray());
    byte[] two = longs(new Bytes().field(1, new byte[] {2, 3}).toArray());
    byte[] text =
        new Bytes().field(1, new Bytes().field(1, "t".getBytes(UTF_8)).toArray()).toArray();
    byte[] none = new byte[0];
    List<byte[]> parts = List.of(one, two, text, none);
    for (byte[] a : parts) {
      for (byte[] b : parts) {
        for (byte[] c : parts) {
          accepted(example(features(Bytes.concat(a, b, c))));
          Bytes entry = new Bytes().field(2, a).field(1, "b".getBytes(UTF_8)).field(2, b);
          entry.field(1, "a".getBytes(UTF_8)).field(2, c);
          accepted(example(new Bytes().field(1, entry.toArray()).toArray()));
          accepted(Bytes.concat(example(features(a)), example(features(b)), example(features(c))));
        }
      }
    }
  }

  @Test
  void takesTheLowestBitOfATenthByteForTheTopBit() throws MalformedExampleException {
    byte[] nine = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
    for (int last = 0; last < 4; last++) {
      byte[] varint = Bytes.concat(nine, new byte[] {(byte) last});
      byte[] list = new Bytes().field(1, varint).toArray();
      byte[] record = example(features(longs(list)));
      ExampleReader reader = ExampleReader.ofExample(List.of("a"));
      reader.read(record, 0, record.length);
      long[] read = new long[1];
      reader.feature(0).longs(read, 0);
      assertThat(read[0]).isEqualTo(last % 2 == 0 ? Long.MAX_VALUE : -1);
      assertThat(reader.feature(0).firstLong()).isEqualTo(read[0]);
    }
  }

  @Test
  void readsAFeatureInVeryManyPiecesInLinearTime() {
    byte[] big = longs(new Bytes().field(1, new byte[1 << 20]).toArray());
    Bytes entry = new Bytes().field(1, "a".getBytes(UTF_8)).field(2, big);
    for (int i = 0; i < 200_000; i++) {
      entry.field(2, new byte[0]);
    }
    accepted(example(new Bytes().field(1, entry.toArray()).toArray()));
    byte[] step = new Bytes().field(1, big).toArray();
    entry = new Bytes().field(1, "a".getBytes(UTF_8)).field(2, step);
    for (int i = 0; i < 200_000; i++) {
      entry.field(2, new byte[0]);
    }
    byte[] lists = new Bytes().field(1, entry.toArray()).toArray();
    agreement.checkSequence(new Bytes().field(2, lists).toArray(), "pieces");
  }

  @Test
  void passesOverWhatIsNotWantedWithoutLookingIntoIt() throws MalformedExampleException {
    byte[] bad = new Bytes().field(1, entry("z", new byte[] {26, 1, 99})).toArray();
    byte[] good = features(longs(new Bytes().field(1, new byte[] {5}).toArray()));
    byte[] record = example(Bytes.concat(bad, good, bad));
    refused(record);
    ExampleReader reader = ExampleReader.ofExample(List.of("a"));
    reader.read(record, 0, record.length);
    assertThat(reader.feature(0).firstLong()).isEqualTo(5);
  }
}
