/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.DType;

/** What the driver refuses, before any task runs. */
class ColumnPlanTest {
  private static final StructType INNER =
      Rows.schema("data", DataTypes.BinaryType, "size", DataTypes.IntegerType);
  private static final StructType SCHEMA =
      Rows.schema(
          "label",
          DataTypes.LongType,
          "image",
          INNER,
          "matrix",
          Rows.arrayOf(Rows.arrayOf(DataTypes.FloatType)),
          "name",
          DataTypes.StringType,
          "a.b",
          DataTypes.IntegerType,
          "map",
          DataTypes.createMapType(DataTypes.StringType, DataTypes.LongType));

  private static void refused(ColumnError code, ColumnTarget target, String... parts) {
    var refusal =
        assertThatThrownBy(() -> ColumnPlan.of(SCHEMA, List.of(target)))
            .isInstanceOf(TfosException.class)
            .hasMessageStartingWith("[" + code.code() + "]");
    for (String part : parts) {
      refusal.hasMessageContaining(part);
    }
  }

  @Test
  void unknownColumnsNameTheNearest() {
    refused(
        ColumnError.UNKNOWN_COLUMN,
        ColumnTarget.of("y", "lable", DType.INT64),
        "'lable'",
        "tensor 'y'",
        "Did you mean 'label'?");
    refused(
        ColumnError.UNKNOWN_COLUMN,
        ColumnTarget.of("x", "image.dta", DType.STRING),
        "Did you mean 'image.data'?");
    refused(
        ColumnError.UNKNOWN_COLUMN,
        ColumnTarget.of("x", "something_else", DType.STRING),
        "Columns are label, image, matrix");
  }

  @Test
  void typesWithoutATensorFormAreRefused() {
    refused(ColumnError.UNSUPPORTED_TYPE, ColumnTarget.of("x", "map", DType.INT64), "map<");
    refused(ColumnError.UNSUPPORTED_TYPE, ColumnTarget.of("x", "image", DType.INT64), "struct<");
    refused(ColumnError.UNSUPPORTED_TYPE, ColumnTarget.of("x", "name", DType.FLOAT32), "Cast");
    refused(ColumnError.UNSUPPORTED_TYPE, ColumnTarget.of("x", "label", DType.STRING), "Cast");
    refused(
        ColumnError.UNSUPPORTED_TYPE,
        ColumnTarget.of("x", "image.data", DType.FLOAT32, 784),
        "uint8");
    refused(ColumnError.UNSUPPORTED_TYPE, ColumnTarget.of("x", "label", DType.BFLOAT16));
  }

  @Test
  void fractionsAreCutOnlyWhenAllowed() {
    refused(
        ColumnError.LOSSY_TYPE,
        ColumnTarget.of("x", "matrix", DType.INT32, 2, 2),
        "array<array<float>>",
        "allow lossy");
    ColumnPlan.of(SCHEMA, List.of(ColumnTarget.of("x", "matrix", DType.INT32, 2, 2).lossy()));
  }

  @Test
  void ranksAndShapesMustAgree() {
    refused(
        ColumnError.RANK_MISMATCH,
        ColumnTarget.of("x", "matrix", DType.FLOAT32, 4),
        "2 dimensions",
        "[4]");
    refused(ColumnError.RANK_MISMATCH, ColumnTarget.of("x", "label", DType.INT64, 2));
    refused(
        ColumnError.RAGGED_WITHOUT_PADDING,
        ColumnTarget.of("x", "matrix", DType.FLOAT32, -1, 4),
        "padding");
    refused(ColumnError.INVALID_TARGET, ColumnTarget.of("x", "matrix", DType.FLOAT32, 0, 4));
    refused(
        ColumnError.INVALID_TARGET,
        ColumnTarget.of("x", "matrix", DType.FLOAT64, 1 << 20, 1 << 20),
        "2 GiB");
    ColumnPlan.of(
        SCHEMA,
        List.of(
            ColumnTarget.of("x", "matrix", DType.FLOAT32, 4, 4, 1),
            ColumnTarget.of("y", "label", DType.INT64, 1),
            ColumnTarget.of("z", "image.data", DType.UINT8, 28, 28, 1)));
  }

  @Test
  void constantsMustBeOfTheType() {
    refused(
        ColumnError.INVALID_TARGET,
        ColumnTarget.of("y", "label", DType.UINT8).nullsAs("256"),
        "'256'",
        "uint8");
    refused(
        ColumnError.INVALID_TARGET,
        ColumnTarget.of("x", "matrix", DType.FLOAT32, -1, 4).padded("none"),
        "padding 'none'");
  }

  @Test
  void tensorsAreMappedOnceAndSomethingIs() {
    ColumnTarget one = ColumnTarget.of("x", "label", DType.INT64);
    assertThatThrownBy(() -> ColumnPlan.of(SCHEMA, List.of(one, one)))
        .hasMessageContaining("mapped twice");
    assertThatThrownBy(() -> ColumnPlan.of(SCHEMA, List.of())).hasMessageContaining("No column");
  }

  @Test
  void aNameWithDotsComesBeforeAField() {
    ColumnPlan plan =
        ColumnPlan.of(
            Rows.schema("a.b", DataTypes.IntegerType, "a", Rows.schema("b", DataTypes.LongType)),
            List.of(ColumnTarget.of("x", "a.b", DType.INT32)));
    assertThat(plan.columns().get(0).path()).containsExactly(0);
  }

  @Test
  void survivesSerialisation() throws Exception {
    ColumnPlan plan =
        ColumnPlan.of(
            SCHEMA,
            List.of(
                ColumnTarget.of("x", "matrix", DType.FLOAT32, -1, 4).padded("0").nullsAs("1"),
                ColumnTarget.of("y", "label", DType.INT64)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(plan);
    }
    ColumnPlan copy;
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      copy = (ColumnPlan) in.readObject();
    }
    assertThat(copy.targets()).isEqualTo(plan.targets());
    assertThat(copy.fingerprint()).isEqualTo(plan.fingerprint());
    assertThat(copy.rowsFor(1 << 20)).isEqualTo(plan.rowsFor(1 << 20));
  }

  @Test
  void targetsAreValues() {
    ColumnTarget target = ColumnTarget.of("x", "c", DType.FLOAT32, 2, 3);
    target.rowShape()[0] = 9;
    assertThat(target)
        .isEqualTo(ColumnTarget.of("x", "c", DType.FLOAT32, 2, 3))
        .hasSameHashCodeAs(ColumnTarget.of("x", "c", DType.FLOAT32, 2, 3))
        .isNotEqualTo(ColumnTarget.of("x", "c", DType.FLOAT32, 3, 2))
        .hasToString("c -> x: float32[2, 3]");
  }
}
