/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.tensorflowonspark.sql.rows.Examples.example;
import static org.tensorflowonspark.sql.rows.Examples.features;
import static org.tensorflowonspark.sql.rows.Examples.floats;
import static org.tensorflowonspark.sql.rows.Examples.longs;
import static org.tensorflowonspark.sql.rows.Examples.none;
import static org.tensorflowonspark.sql.rows.Examples.sequence;
import static org.tensorflowonspark.sql.rows.Examples.texts;

import com.google.protobuf.MessageLite;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflowonspark.base.TfosException;

class SchemaInferenceTest {
  private static SchemaInference seen(MessageLite... records) throws BadRecordException {
    SchemaInference inference =
        SchemaInference.of(
            records[0] instanceof Example ? RecordType.EXAMPLE : RecordType.SEQUENCE_EXAMPLE, true);
    for (MessageLite record : records) {
      add(inference, record);
    }
    return inference;
  }

  private static void add(SchemaInference inference, MessageLite record) throws BadRecordException {
    byte[] bytes = record.toByteArray();
    inference.add(bytes, 0, bytes.length);
  }

  private static String schema(MessageLite... records) throws BadRecordException {
    return seen(records).schema().simpleString();
  }

  @Test
  void oneValueEverywhereIsAColumnForOne() throws Exception {
    assertThat(
            schema(
                example("l", longs(1), "f", floats(1), "b", texts("x")),
                example("l", longs(2)),
                example()))
        .isEqualTo("struct<b:string,f:float,l:bigint>");
  }

  @Test
  void severalValuesOrNoneInAnyRecordMakeAnArray() throws Exception {
    assertThat(
            schema(
                example("l", longs(1), "f", floats(1), "b", texts()),
                example("l", longs(1, 2), "f", floats(), "b", texts("x"))))
        .isEqualTo("struct<b:array<string>,f:array<float>,l:array<bigint>>");
  }

  @Test
  void emptyListsOnlyAreArraysOfTheirKind() throws Exception {
    assertThat(schema(example("l", longs(), "f", floats(), "b", texts())))
        .isEqualTo("struct<b:array<string>,f:array<float>,l:array<bigint>>");
  }

  @Test
  void featuresThatHoldNoListDoNotMatterUnlessNoneDoes() throws Exception {
    assertThat(
            schema(
                example("a", none(), "b", none(), "c", none()),
                example("a", longs(1)),
                example("b", longs(1, 2))))
        .isEqualTo("struct<a:bigint,b:array<bigint>,c:void>");
  }

  @Test
  void bytesAreBinaryWhereAskedFor() throws Exception {
    SchemaInference inference = SchemaInference.of(RecordType.EXAMPLE, false);
    add(inference, example("one", texts("x"), "many", texts("x", "y")));

    assertThat(inference.schema().simpleString())
        .isEqualTo("struct<many:array<binary>,one:binary>");
  }

  @Test
  void allColumnsAreNullableAndNoArrayHasNulls() throws Exception {
    assertThat(seen(example("a", longs(1, 2))).schema().toDDL()).isEqualTo("a ARRAY<BIGINT>");
    assertThat(seen(example("a", longs(1, 2))).schema().json())
        .contains("\"containsNull\":false", "\"nullable\":true");
  }

  @Test
  void featureListsAreArraysOfArrays() throws Exception {
    assertThat(
            schema(
                sequence(features("id", longs(1)), "s", List.of(longs(1), none())),
                sequence(
                    features("id", longs(2)),
                    "s",
                    List.of(),
                    "t",
                    List.of(texts("x")),
                    "n",
                    List.of(none()))))
        .isEqualTo("struct<id:bigint,n:void,s:array<array<bigint>>,t:array<array<string>>>");
  }

  @Test
  void recordsAsTheyAreHaveOneColumn() throws Exception {
    SchemaInference inference = SchemaInference.of(RecordType.BYTE_ARRAY, true);
    inference.add(new byte[] {-1, -1}, 0, 2);

    assertThat(inference.schema().simpleString()).isEqualTo("struct<byteArray:binary>");
    assertThat(inference.records()).isEqualTo(1);
  }

  @Test
  void conflictingKindsNameTheFeatureBothKindsAndTheirFiles() throws Exception {
    Feature[][] pairs = {
      {longs(1), floats(1)}, {longs(1), texts("x")}, {floats(), texts("x")}, {longs(), floats()}
    };
    String[][] kinds = {
      {"INT64", "FLOAT"}, {"INT64", "BYTES"}, {"FLOAT", "BYTES"}, {"INT64", "FL"}
    };
    for (int i = 0; i < pairs.length; i++) {
      SchemaInference one = SchemaInference.of(RecordType.EXAMPLE, true).from("hdfs:/one");
      SchemaInference other = SchemaInference.of(RecordType.EXAMPLE, true).from("hdfs:/other");
      add(one, example("größe", pairs[i][0]));
      add(one, example("größe", pairs[i][0]));
      add(other, example("größe", pairs[i][1]));
      one.merge(other);

      assertThatThrownBy(one::schema)
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("[TFOS-ROW-007]")
          .hasMessageContainingAll(
              "'größe'", kinds[i][0] + " values in 2 records", kinds[i][1], "in 1 record", "schema")
          .hasMessageContainingAll("hdfs:/one", "hdfs:/other");
    }
  }

  @Test
  void stepsOfDifferentKindsConflict() throws Exception {
    SchemaInference mixed = seen(sequence(features(), "s", List.of(longs(1), floats(1))));
    SchemaInference apart =
        seen(
            sequence(features(), "s", List.of(longs(1))),
            sequence(features(), "s", List.of(floats(1))));

    for (SchemaInference inference : List.of(mixed, apart)) {
      assertThatThrownBy(inference::schema)
          .isInstanceOf(TfosException.class)
          .hasMessageContainingAll("[TFOS-ROW-007]", "'s'");
    }
  }

  @Test
  void aNameInContextAndFeatureListsConflicts() throws Exception {
    SchemaInference inference = seen(sequence(features("x", longs(1)), "x", List.of(longs(1))));

    assertThatThrownBy(inference::schema)
        .isInstanceOf(TfosException.class)
        .hasMessageContainingAll("[TFOS-ROW-007]", "'x'", "context", "feature list");
  }

  @Test
  void whatIsNoRecordIsRefusedAndLeavesNoTrace() throws Exception {
    SchemaInference inference = seen(example("a", longs(1)));
    byte[] bytes = {10, 100, 1};

    BadRecordException problem =
        catchThrowableOfType(BadRecordException.class, () -> inference.add(bytes, 0, bytes.length));

    assertThat(problem.error()).isEqualTo(RowError.NOT_A_RECORD);
    assertThat(inference.records()).isEqualTo(1);
    assertThat(inference.schema().simpleString()).isEqualTo("struct<a:bigint>");
  }

  @Test
  void theOrderOfRecordsAndOfMergingDoesNotMatter() throws Exception {
    long seed = 77;
    Random random = new Random(seed);
    List<MessageLite> records = new ArrayList<>();
    Feature[] all = {
      longs(1), longs(), longs(1, 2), floats(1), floats(), texts("x"), texts(), none()
    };
    for (int i = 0; i < 60; i++) {
      int a = random.nextInt(3);
      int b = random.nextInt(3);
      records.add(example("l", all[a], "f" + b, all[3 + random.nextInt(2)], "b", all[5 + a % 3]));
    }
    String expected = schema(records.toArray(MessageLite[]::new));

    for (int round = 0; round < 20; round++) {
      Collections.shuffle(records, random);
      List<SchemaInference> parts = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        parts.add(SchemaInference.of(RecordType.EXAMPLE, true));
      }
      for (int i = 0; i < records.size(); i++) {
        add(parts.get(random.nextInt(5)), records.get(i));
      }
      SchemaInference right = copy(parts.get(3));
      right.merge(parts.get(4));
      SchemaInference left = copy(parts.get(2));
      left.merge(parts.get(0));
      right.merge(left);
      right.merge(parts.get(1));

      assertThat(right.schema().simpleString()).as("seed %s", seed).isEqualTo(expected);
      assertThat(right.records()).isEqualTo(60);
    }
  }

  /** As Spark sends it; the copy must be able to go on. */
  private static SchemaInference copy(SchemaInference inference) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(inference);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      SchemaInference copy = (SchemaInference) in.readObject();
      long before = copy.records();
      byte[] broken = {10, 100};
      assertThatThrownBy(() -> copy.add(broken, 0, 2)).isInstanceOf(BadRecordException.class);
      assertThat(copy.records()).isEqualTo(before);
      return copy;
    }
  }
}
