/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The 16-bit formats, every value of them. */
class HalvesTest {

  @Test
  void everyValueSurvivesTheWayToFloatAndBack() {
    for (int i = 0; i < 1 << 16; i++) {
      short bits = (short) i;
      float half = Halves.fromFloat16(bits);
      float brain = Halves.fromBfloat16(bits);
      if (!Float.isNaN(half)) {
        assertThat(Halves.toFloat16(half)).isEqualTo(bits);
      }
      if (!Float.isNaN(brain)) {
        assertThat(Halves.toBfloat16(brain)).isEqualTo(bits);
      }
    }
  }

  @Test
  void valuesBetweenTwoAreRoundedToNearestEven() {
    for (int i = 0; i < 0x7bff; i++) {
      float low = Halves.fromFloat16((short) i);
      float high = Halves.fromFloat16((short) (i + 1));
      float middle = (low + high) / 2;
      assertThat(Halves.toFloat16(middle)).isEqualTo((short) (i + (i & 1)));
      assertThat(Halves.toFloat16(Math.nextUp(middle))).isEqualTo((short) (i + 1));
      assertThat(Halves.toFloat16(-Math.nextDown(middle))).isEqualTo((short) (i | 0x8000));
    }
    assertThat(Halves.fromFloat16(Halves.toFloat16(65520f))).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(Halves.fromFloat16(Halves.toFloat16(Float.NaN))).isNaN();
    assertThat(Halves.fromBfloat16(Halves.toBfloat16(Float.NaN))).isNaN();
    assertThat(Halves.fromBfloat16(Halves.toBfloat16(1 + 0x1p-8f))).isEqualTo(1f);
  }
}
