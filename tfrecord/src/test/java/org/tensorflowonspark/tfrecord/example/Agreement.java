/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Features;
import org.tensorflow.proto.SequenceExample;

/** Checks that reader and scanner say of records what protobuf says. */
final class Agreement {
  private final List<String> wanted;
  private final List<String> wantedLists;
  private final ExampleReader examples;
  private final ExampleReader sequences;
  private final ExampleScanner scanner = new ExampleScanner();
  int accepted;
  int refused;

  Agreement(List<String> wanted, List<String> wantedLists) {
    this.wanted = wanted;
    this.wantedLists = wantedLists;
    examples = ExampleReader.ofExample(wanted);
    sequences = ExampleReader.ofSequenceExample(wanted, wantedLists);
  }

  void checkExample(byte[] record, String context) {
    Supplier<String> where = () -> context + ": " + HexFormat.of().formatHex(record);
    @Nullable Example expected = Oracle.example(record);
    boolean read = reads(examples, record);
    @Nullable Map<String, String> scanned = scan(record, false);
    assertThat(scanned != null)
        .as(() -> "scanner accepts " + where.get())
        .isEqualTo(expected != null);
    if (expected == null) {
      refused++;
      if (read) {
        assertThat(Oracle.hasOtherNames(record, new HashSet<>(wanted), null))
            .as(() -> "reader may accept " + where.get())
            .isTrue();
      }
      return;
    }
    accepted++;
    assertThat(read).as(() -> "reader accepts " + where.get()).isTrue();
    Map<String, String> all = Oracle.expected(record, expected.getFeatures());
    assertThat(scanned)
        .as(() -> "scanned of " + where.get())
        .isEqualTo(summary(expected.getFeatures()));
    all.keySet().retainAll(wanted);
    assertThat(Oracle.actual(record, examples, wanted))
        .as(() -> "values of " + where.get())
        .isEqualTo(all);
  }

  void checkSequence(byte[] record, String context) {
    Supplier<String> where = () -> context + ": " + HexFormat.of().formatHex(record);
    @Nullable SequenceExample expected = Oracle.sequenceExample(record);
    boolean read = reads(sequences, record);
    @Nullable Map<String, String> scanned = scan(record, true);
    assertThat(scanned != null)
        .as(() -> "scanner accepts " + where.get())
        .isEqualTo(expected != null);
    if (expected == null) {
      refused++;
      if (read) {
        Set<String> lists = new HashSet<>(wantedLists);
        assertThat(Oracle.hasOtherNames(record, new HashSet<>(wanted), lists))
            .as(() -> "reader may accept " + where.get())
            .isTrue();
      }
      return;
    }
    accepted++;
    assertThat(read).as(() -> "reader accepts " + where.get()).isTrue();
    Map<String, String> summary = summary(expected.getContext());
    expected
        .getFeatureLists()
        .getFeatureListMap()
        .forEach((name, list) -> summary.put("list " + name, ListSummary.of(list)));
    assertThat(scanned).as(() -> "scanned of " + where.get()).isEqualTo(summary);
    Map<String, String> all = Oracle.expected(record, expected.getContext());
    all.keySet().retainAll(wanted);
    assertThat(Oracle.actual(record, sequences, wanted))
        .as(() -> "values of " + where.get())
        .isEqualTo(all);
    Map<String, String> lists = Oracle.expectedLists(record, expected);
    lists.keySet().retainAll(wantedLists);
    assertThat(Oracle.actualLists(record, sequences, wantedLists))
        .as(() -> "steps of " + where.get())
        .isEqualTo(lists);
  }

  /** Reads the record from the middle of an array whose other bytes would mislead. */
  private static boolean reads(ExampleReader reader, byte[] record) {
    byte[] array = new byte[record.length + 32];
    Arrays.fill(array, (byte) 10);
    System.arraycopy(record, 0, array, 16, record.length);
    try {
      reader.read(array, 16, record.length);
      return true;
    } catch (MalformedExampleException e) {
      assertThat(e.getMessage()).contains(" has ");
      return false;
    }
  }

  private @Nullable Map<String, String> scan(byte[] record, boolean sequence) {
    ListSummary visitor = new ListSummary();
    try {
      if (sequence) {
        scanner.sequenceExample(record, 0, record.length, visitor);
      } else {
        scanner.example(record, 0, record.length, visitor);
      }
      return visitor.heard;
    } catch (MalformedExampleException e) {
      assertThat(visitor.heard).isEmpty();
      return null;
    }
  }

  private static Map<String, String> summary(Features features) {
    Map<String, String> summary = new TreeMap<>();
    features
        .getFeatureMap()
        .forEach((name, feature) -> summary.put("feature " + name, ListSummary.of(feature)));
    return summary;
  }
}
