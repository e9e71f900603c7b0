/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ConfusionTableTest {

  @Test
  void countsAndPrints() {
    ConfusionTable table = new ConfusionTable(3);
    table.add(0, 0, 98);
    table.add(0, 1, 2);
    table.add(1, 1, 100);
    assertThat(table.total()).isEqualTo(200);
    assertThat(table.accuracy()).isEqualTo(0.99);
    assertThat(table.render())
        .isEqualTo(
            """
            is \\ as   0   1   2   right
                  0  98   2   .  98.0 %
                  1   . 100   . 100.0 %
                  2   .   .   .       -
            """);
  }

  @Test
  void refusesAClassThatIsNotThere() {
    assertThatThrownBy(() -> new ConfusionTable(3).add(1, 3, 1))
        .hasMessageContaining("predicted as 3 with 3 classes");
  }
}
