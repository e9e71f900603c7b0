/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TString;
import org.tensorflowonspark.base.TfosException;

class BatchTest {

  @BeforeAll
  static void load() {
    TensorFlowRuntime.load();
  }

  /** Gives back what it is fed. */
  private static GraphModel echo() {
    return GraphModel.of(
        (tf, parts) -> {
          var x = parts.input("x", TFloat32.class, -1, 2);
          var s = parts.input("s", TString.class, 2);
          var w = parts.variable("w", tf.constant(1f));
          parts.output("x", tf.identity(x));
          parts.output("s", tf.identity(s));
          var sum = tf.reduceSum(tf.math.mul(x, w), tf.array(1, 2));
          parts.loss(sum);
        });
  }

  @Test
  void stringsOfAnyLengthAndContentArriveByteForByte() {
    Random random = new Random(11);
    try (TrainableModel model = echo().open(Fixtures.OPTIONS);
        Batch batch = model.newBatch(16)) {
      int s = batch.column("s");
      for (int round = 0; round < 30; round++) {
        int rows = random.nextInt(17);
        byte[] data = new byte[4000];
        random.nextBytes(data);
        int[] offsets = new int[rows * 2 + 1];
        for (int i = 1; i < offsets.length; i++) {
          // Around the 22 bytes up to which a string lies within the tensor, and far beyond.
          offsets[i] = offsets[i - 1] + (i % 7 == 0 ? 300 : random.nextInt(30));
        }
        batch.setRowShape(batch.column("x"), 1, 2);
        batch.setStrings(s, 0, data, offsets);
        batch.setRows(rows);
        try (TensorList out = model.predict(batch)) {
          int index = out.indexOf("s");
          assertThat(out.spec(index).dims()).containsExactly(rows, 2);
          for (int i = 0; i < rows * 2; i++) {
            assertThat(out.bytes(index, i))
                .isEqualTo(java.util.Arrays.copyOfRange(data, offsets[i], offsets[i + 1]));
          }
        }
      }
    }
  }

  @Test
  void aPredictionIsNotChangedByTheNextBatch() {
    try (TrainableModel model = echo().open(Fixtures.OPTIONS);
        Batch batch = model.newBatch(2)) {
      batch.setRowShape(batch.column("x"), 1, 2);
      batch.put("x", new float[] {1, 2, 3, 4});
      batch.put("s", new String[] {"a", "b", "c", "a string that is longer than the slot"});
      batch.setRows(2);
      try (TensorList first = model.predict(batch)) {
        batch.put("x", new float[] {9, 9, 9, 9});
        batch.put("s", new String[] {"z", "z", "z", "another string, longer than the slot"});
        try (TensorList second = model.predict(batch)) {
          assertThat(first.doubles("x")).containsExactly(1, 2, 3, 4);
          assertThat(first.bytes(first.indexOf("s"), 3))
              .isEqualTo("a string that is longer than the slot".getBytes(ISO_8859_1));
          assertThat(second.doubles("x")).containsOnly(9.0);
          assertThat(second.bytes(second.indexOf("s"), 0)).isEqualTo(new byte[] {'z'});
        }
      }
    }
  }

  @Test
  void rowsOfOpenShapeTakeTheShapeOfEachBatch() {
    try (TrainableModel model = echo().open(Fixtures.OPTIONS);
        Batch batch = model.newBatch(4)) {
      int x = batch.column("x");
      batch.put("s", new String[] {"", "", "", "", "", "", "", ""});
      assertThatThrownBy(() -> batch.buffer(x)).hasMessageContaining("setRowShape");
      for (int length : new int[] {3, 1, 5, 2, 5}) {
        batch.setRowShape(x, length, 2);
        batch.setRows(3);
        assertThat(batch.rowBytes(x)).isEqualTo(length * 8);
        assertThat(batch.spec(x).dims()).containsExactly(3, length, 2);
        ByteBuffer memory = batch.buffer(x);
        assertThat(memory.remaining()).isEqualTo(4 * length * 8);
        for (int i = 0; i < 3 * length * 2; i++) {
          memory.putFloat(i);
        }
        try (TensorList out = model.predict(batch)) {
          assertThat(out.spec(out.indexOf("x")).dims()).containsExactly(3, length, 2);
          assertThat(out.doubles("x")[3 * length * 2 - 1]).isEqualTo(3 * length * 2 - 1);
        }
      }
      assertThatThrownBy(() -> batch.setRowShape(x, 3, 3))
          .hasMessageContaining("x: float32[?,?,2]");
    }
  }

  @Test
  void fullAndPartialBatchesAreTheSameMemory() {
    try (Batch batch = Batch.allocate(List.of(TensorSpec.of("x", DType.INT16, -1, 3)), 8)) {
      ByteBuffer memory = batch.buffer("x");
      assertThat(memory.isDirect()).isTrue();
      assertThat(memory.order()).isEqualTo(ByteOrder.nativeOrder());
      assertThat(memory.remaining()).isEqualTo(8 * 3 * 2);
      memory.putShort(46, (short) 7);
      for (int rows : new int[] {8, 3, 0, 8}) {
        batch.setRows(rows);
        assertThat(batch.rows()).isEqualTo(rows);
        assertThat(batch.weight()).isEqualTo(rows);
        assertThat(batch.spec(0)).isEqualTo(TensorSpec.of("x", DType.INT16, rows, 3));
        assertThat(batch.buffer("x")).isSameAs(memory);
        assertThat(memory.getShort(46)).isEqualTo((short) 7);
      }
    }
  }

  @Test
  void rowWeightsAreOnesUntilOthersAreWritten() {
    try (Batch batch = Batch.allocate(List.of(TensorSpec.of("x", DType.FLOAT32, -1)), 3)) {
      batch.setRows(2);
      assertThat(batch.weight()).isEqualTo(2);
      batch.put(Batch.ROW_WEIGHTS, new float[] {0.25f, 0.5f, 100});
      assertThat(batch.weight()).isEqualTo(0.75);
      batch.resetRowWeights();
      assertThat(batch.weight()).isEqualTo(2);
    }
  }

  @Test
  void columnsThatCannotHoldRowsAreRefused() {
    refused("x: float32[]", 4, "no dimension for rows");
    refused("x: float32[*]", 4, "no dimension for rows");
    refused("x: float32[8,2]", 4, "takes exactly 8 rows");
    refused("row_weights: float32[?]", 4, "'row_weights' is there twice");
    try (Batch fixed = Batch.allocate(List.of(TensorSpec.parse("x: float32[8,2]")), 8)) {
      fixed.setRows(8);
      fixed.setRows(0);
      assertThat(fixed.weight()).isZero();
      assertThatThrownBy(() -> fixed.setRows(7))
          .hasMessageContaining("takes exactly 8 rows, not 7");
    }
    assertThatThrownBy(() -> Batch.allocate(List.of(), 0))
        .isInstanceOf(IllegalArgumentException.class);
    try (Batch batch = Batch.allocate(List.of(TensorSpec.parse("x: float32[?]")), 2)) {
      assertThatThrownBy(() -> batch.setRows(3)).hasMessageContaining("3 rows in a batch for 2");
      assertThatThrownBy(() -> batch.column("z")).hasMessageContaining("[x, row_weights]");
      assertThatThrownBy(() -> batch.put("x", new int[] {1}))
          .hasMessageContaining("int[] does not fit column x: float32[?]");
      assertThatThrownBy(() -> batch.setString(0, 0, new byte[1], 0, 1))
          .hasMessageContaining("holds no strings");
    }
  }

  private static void refused(String spec, int capacity, String text) {
    assertThatThrownBy(() -> Batch.allocate(List.of(TensorSpec.parse(spec)), capacity))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("TFOS-MODEL-010")
        .hasMessageContaining(text);
  }

  @Test
  void aColumnTooLargeForABufferIsRefusedBeforeItIsAllocated() {
    assertThatThrownBy(
            () -> Batch.allocate(List.of(TensorSpec.parse("x: float32[?,1000,1000]")), 1000))
        .hasMessageContaining("TFOS-MODEL-017")
        .hasMessageContaining("4000000000 bytes");
  }

  @Test
  void aBatchThatTheModelDoesNotTakeIsNamed() {
    try (TrainableModel model = Fixtures.load("linear");
        Batch missing = Batch.allocate(List.of(TensorSpec.parse("x: float32[?,3]")), 2);
        Batch typed =
            Batch.allocate(
                List.of(TensorSpec.parse("x: float64[?,3]"), TensorSpec.parse("y: float32[?,1]")),
                2);
        Batch shaped =
            Batch.allocate(
                List.of(TensorSpec.parse("x: float32[?,4]"), TensorSpec.parse("y: float32[?,1]")),
                2)) {
      for (Batch b : List.of(missing, typed, shaped)) {
        b.setRows(2);
      }
      assertThatThrownBy(() -> model.gradients(missing)).hasMessageContaining("no column 'y'");
      assertThatThrownBy(() -> model.gradients(typed))
          .hasMessageContaining("takes x: float32[?,3] but the batch has x: float64[?,3]");
      assertThatThrownBy(() -> model.evaluate(shaped)).hasMessageContaining("x: float32[?,4]");
      try (TensorList prediction = model.predict(missing)) {
        assertThat(prediction.spec(0).dims()).containsExactly(2, 1);
      }
    }
  }

  @Test
  void aFailureOfTensorFlowNamesTheSignatureAndTheBatch() {
    try (TrainableModel model = Fixtures.load("two-inputs");
        Batch batch = Data.batch(model, 2, 2, 1)) {
      batch.put("b", new int[] {0, 77});
      assertThatThrownBy(() -> model.gradients(batch))
          .isInstanceOf(TfosException.class)
          .hasMessageContaining("TFOS-MODEL-009")
          .hasMessageContaining("'gradients'")
          .hasMessageContaining("77")
          .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("b: int32[2]"));
      batch.put("b", new int[] {0, 1});
      model.gradients(batch).close();
    }
  }

  @Test
  void whatIsClosedIsRefused() {
    TrainableModel model = Fixtures.load("linear");
    try (Batch batch = Data.batch(model, 2, 2, 1)) {
      Gradients g = model.gradients(batch);
      g.close();
      g.close();
      assertThatThrownBy(() -> g.buffer(0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> model.apply(g)).isInstanceOf(IllegalStateException.class);
      model.close();
      model.close();
      assertThatThrownBy(() -> model.gradients(batch)).hasMessageContaining("closed");
    } finally {
      model.close();
    }
  }
}
