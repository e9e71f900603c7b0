/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.tensorflow.DType;
import org.tensorflowonspark.tensorflow.TensorList;
import org.tensorflowonspark.tensorflow.TensorSpec;

/** Output tensors as rows that Spark takes. */
class AnswerRowsTest {
  private static final List<TensorSpec> OUTPUTS =
      List.of(
          TensorSpec.of("score", DType.FLOAT32, 2, 3),
          TensorSpec.of("class", DType.INT64, 2),
          TensorSpec.of("box", DType.UINT8, 2, 2, 2),
          TensorSpec.of("name", DType.STRING, 2),
          TensorSpec.of("half", DType.FLOAT16, 2));

  @Test
  void schemaIsKnownBeforehand() {
    List<TensorSpec> open =
        List.of(
            TensorSpec.of("score", DType.FLOAT32, -1, 3),
            TensorSpec.of("class", DType.INT64, -1),
            TensorSpec.of("box", DType.UINT8, -1, 2, -1));
    assertThat(AnswerRows.schemaOf(open).catalogString())
        .isEqualTo("struct<score:array<float>,class:bigint,box:array<array<smallint>>>");
    assertThatThrownBy(() -> AnswerRows.schemaOf(List.of(TensorSpec.of("loss", DType.FLOAT32))))
        .hasMessageContaining("TFOS-COLUMN-015")
        .hasMessageContaining("loss");
  }

  @Test
  void valuesComeBackRowByRow() {
    try (TensorList tensors = TensorList.allocate(OUTPUTS)) {
      for (int i = 0; i < 6; i++) {
        tensors.buffer(0).putFloat(i * 4, i + 0.5f);
      }
      tensors.buffer(1).putLong(0, 4).putLong(8, -4);
      for (int i = 0; i < 8; i++) {
        tensors.buffer(2).put(i, (byte) (250 + i));
      }
      tensors.setBytes(3, 0, "eins".getBytes(StandardCharsets.UTF_8));
      tensors.setBytes(3, 1, new byte[] {(byte) 0xFF, 0});
      tensors.buffer(4).putShort(0, (short) 0x3E00).putShort(2, (short) 0xC000);
      AnswerRows answers = new AnswerRows(tensors);
      assertThat(answers.rows()).isEqualTo(2);
      StructType schema = AnswerRows.schemaOf(tensors.specs());

      // As Spark sees it after its own projection.
      Row second =
          (Row)
              CatalystTypeConverters.createToScalaConverter(schema)
                  .apply(UnsafeProjection.create(schema).apply(answers.internalRow(1)));
      for (Row row : List.of(second, answers.row(1))) {
        assertThat(row.getList(0)).isEqualTo(List.of(3.5f, 4.5f, 5.5f));
        assertThat(row.getLong(1)).isEqualTo(-4);
        assertThat(row.get(2).toString()).matches(".*\\(.*\\(254, 255\\), .*\\(0, 1\\)\\)");
        assertThat((byte[]) row.get(3)).containsExactly(0xFF, 0);
        assertThat(row.getFloat(4)).isEqualTo(-2f);
      }
      assertThat(answers.row(0).getFloat(4)).isEqualTo(1.5f);
    }
  }

  @Test
  void tensorsOfAnotherLengthAreRefused() {
    List<TensorSpec> uneven =
        List.of(TensorSpec.of("a", DType.FLOAT32, 2), TensorSpec.of("b", DType.FLOAT32, 3));
    try (TensorList tensors = TensorList.allocate(uneven)) {
      assertThatThrownBy(() -> new AnswerRows(tensors)).hasMessageContaining("b: float32[3]");
    }
  }
}
