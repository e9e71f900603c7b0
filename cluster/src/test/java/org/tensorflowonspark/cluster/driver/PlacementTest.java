/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.cluster.spark.Executors.Slots;

class PlacementTest {
  private static final Slots A = new Slots("1", "a", 2);
  private static final Slots B = new Slots("2", "b", 2);
  private static final Slots WIDE = new Slots("3", "c", 4);

  @Test
  void nodesAreSpreadOverAllExecutorsBeforeOneGetsTwo() {
    assertThat(Placement.spread(List.of(A, B), 2)).containsExactly("executor_a_1", "executor_b_2");
    assertThat(Placement.spread(List.of(A, B), 4))
        .containsExactly("executor_a_1", "executor_b_2", "executor_a_1", "executor_b_2");
  }

  @Test
  void anExecutorWithMoreSlotsGetsMoreNodes() {
    assertThat(Placement.spread(List.of(A, WIDE), 6)).filteredOn("executor_c_3"::equals).hasSize(4);
  }
}
