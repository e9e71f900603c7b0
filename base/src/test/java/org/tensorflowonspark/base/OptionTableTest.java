/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionTableTest {
  private static final Option<Integer> NODES = Option.ofInt("x.nodes", 2, 1, "Number of nodes.");
  private static final Option<Duration> WAIT = Option.ofDuration("x.wait", "10s", "A wait.");
  private static final Option<Long> BYTES = Option.ofBytes("x.queueBytes", "64m", "A size.");
  private static final Option<Boolean> EXACT = Option.ofBoolean("x.exact", false, "Exactness.");
  private static final OptionTable TABLE = OptionTable.of("x.", NODES, WAIT, BYTES, EXACT);

  @Test
  void aValueOfTheProgramWinsOverTheSessionAndThatOverTheDefault() {
    OptionValues values =
        TABLE.resolve(Map.of("x.nodes", 5), Map.of("x.nodes", "4", "x.wait", "3s"));

    assertThat(values.get(NODES)).isEqualTo(5);
    assertThat(values.get(WAIT)).isEqualTo(Duration.ofSeconds(3));
    assertThat(values.get(BYTES)).isEqualTo(64L << 20);
  }

  @Test
  void unitsAreReadAsSparkWritesThem() {
    OptionValues values =
        TABLE.resolve(Map.of("x.wait", "250ms", "x.queueBytes", "2g", "x.exact", "TRUE"), Map.of());

    assertThat(values.get(WAIT)).isEqualTo(Duration.ofMillis(250));
    assertThat(values.get(BYTES)).isEqualTo(2L << 30);
    assertThat(values.get(EXACT)).isTrue();
  }

  @Test
  void anUnknownKeyNamesTheNearOne() {
    assertThatThrownBy(() -> TABLE.resolve(Map.of(), Map.of("x.queueByte", "1m")))
        .isInstanceOf(TfosException.class)
        .hasMessage("[TFOS-OPTION-001] Unknown option 'x.queueByte'. Did you mean 'x.queueBytes'?");
  }

  @Test
  void keysOfOthersInTheSessionAreLeftAlone() {
    assertThat(TABLE.resolve(Map.of(), Map.of("spark.master", "local")).get(NODES)).isEqualTo(2);
  }

  @Test
  void aValueThatCannotBeReadOrIsOutOfRangeIsNamed() {
    assertThatThrownBy(() -> TABLE.resolve(Map.of("x.nodes", "0"), Map.of()))
        .hasMessage("[TFOS-OPTION-002] Option x.nodes is '0'. Give it at least 1.");
    assertThatThrownBy(() -> TABLE.resolve(Map.of("x.wait", "soon"), Map.of()))
        .hasMessageContaining("x.wait is 'soon'")
        .hasCauseInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> TABLE.resolve(Map.of("x.nodes", 2L), Map.of()))
        .hasMessageContaining("x.nodes is '2'");
  }

  @Test
  void theDocumentationShowsKeyTypeDefaultAndMeaning() {
    assertThat(TABLE.toMarkdown()).contains("| `x.queueBytes` | bytes | `64m` | A size. |");
  }
}
