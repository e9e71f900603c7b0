/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.tensorflow.DType;

/** Spark ML's vectors, dense and sparse. */
class VectorTest {
  private static final StructType SCHEMA = Rows.schema("features", SQLDataTypes.VectorType());
  private static final Object DENSE = Vectors.dense(1, 2.5, 3, 4);
  private static final Object SPARSE = Vectors.sparse(4, new int[] {1, 3}, new double[] {-1.5, 7});

  private static InternalRow[] rows() {
    return new InternalRow[] {
      Rows.unsafe(SCHEMA, DENSE),
      Rows.unsafe(SCHEMA, SPARSE),
      Rows.generic(SCHEMA, DENSE),
      Rows.generic(SCHEMA, SPARSE)
    };
  }

  @Test
  void denseAndSparseMixed() {
    ColumnPlan floats =
        ColumnPlan.of(SCHEMA, List.of(ColumnTarget.of("x", "features", DType.FLOAT32, 2, 2)));
    assertThat(Rows.batch(floats, rows()).values(0))
        .containsExactly(1f, 2.5f, 3f, 4f, 0f, -1.5f, 0f, 7f, 1f, 2.5f, 3f, 4f, 0f, -1.5f, 0f, 7f);
    ColumnPlan doubles =
        ColumnPlan.of(SCHEMA, List.of(ColumnTarget.of("x", "features", DType.FLOAT64, 4)));
    assertThat(Rows.batch(doubles, rows()).values(0).subList(4, 8))
        .containsExactly(0.0, -1.5, 0.0, 7.0);
  }

  @Test
  void raggedAndPadded() {
    ColumnPlan plan =
        ColumnPlan.of(
            SCHEMA, List.of(ColumnTarget.of("x", "features", DType.FLOAT32, -1).padded("-1")));
    InternalRow shorter = Rows.unsafe(SCHEMA, Vectors.sparse(2, new int[] {0}, new double[] {5}));
    assertThat(Rows.batch(plan, shorter, rows()[1]).values(0))
        .containsExactly(5f, 0f, -1f, -1f, 0f, -1.5f, 0f, 7f);
  }

  @Test
  void lengthAndFractionsAreChecked() {
    ColumnPlan three =
        ColumnPlan.of(SCHEMA, List.of(ColumnTarget.of("x", "features", DType.FLOAT32, 3)));
    for (InternalRow row : rows()) {
      assertThatThrownBy(() -> Rows.batch(three, row))
          .hasMessageContaining("'features' (vector)")
          .hasMessageContaining("4 values where the tensor takes 3");
    }
    assertThatThrownBy(
            () -> ColumnPlan.of(SCHEMA, List.of(ColumnTarget.of("x", "features", DType.INT32, 4))))
        .hasMessageContaining("TFOS-COLUMN-003");
  }

  @Test
  void arraysOfVectorsAreMatrices() {
    StructType schema = Rows.schema("c", Rows.arrayOf(SQLDataTypes.VectorType()));
    ColumnPlan plan =
        ColumnPlan.of(schema, List.of(ColumnTarget.of("x", "c", DType.FLOAT32, 2, 4)));
    Object[] both = {DENSE, SPARSE};
    assertThat(Rows.batch(plan, Rows.unsafe(schema, (Object) both)).values(0))
        .containsExactly(1f, 2.5f, 3f, 4f, 0f, -1.5f, 0f, 7f);
  }
}
