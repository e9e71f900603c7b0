/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.base.TfosException;

class BinaryFeaturesTest {
  private final StructType inferred =
      DFUtil.parseSchema("struct<image:string,labels:array<string>,n:bigint,text:string>");

  @Test
  void namedFeaturesOfBytesBecomeBinaryAndNumbersStayNumbers() {
    assertThat(DFUtil.withBinary(inferred, List.of("image", "labels", "n")).simpleString())
        .isEqualTo("struct<image:binary,labels:array<binary>,n:bigint,text:string>");
    assertThat(DFUtil.withBinary(inferred, List.of())).isEqualTo(inferred);
  }

  @Test
  void aNameThatIsNoFeatureIsAnErrorThatNamesTheNearOne() {
    assertThatThrownBy(() -> DFUtil.withBinary(inferred, List.of("text", "imgae")))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-COMPAT-002] No record has a feature 'imgae'")
        .hasMessageContaining("'image'");
  }
}
