/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
  void fractionsAndNamesAreReadWithinTheirRange() {
    Option<Double> ratio = Option.ofDouble("x.ratio", 1, 0, 1, "A ratio.");
    Option<TimeUnit> unit =
        Option.ofEnum(
            "x.unit",
            TimeUnit.DAYS,
            List.of(TimeUnit.DAYS, TimeUnit.HOURS),
            unitName -> unitName.name().toLowerCase(Locale.ROOT),
            "A unit.");
    Option<Long> size = Option.ofBytes("x.size", "1k", 2048, "A size.");
    OptionTable table = OptionTable.of("x.", ratio, unit, size);

    OptionValues values = table.resolve(Map.of("x.ratio", "0.25", "x.unit", "Hours"), Map.of());

    assertThat(values.get(ratio)).isEqualTo(0.25);
    assertThat(values.get(unit)).isEqualTo(TimeUnit.HOURS);
    assertThat(table.toMarkdown()).contains("| `x.unit` | name | `days` | A unit. |");
    assertThatThrownBy(() -> table.resolve(Map.of("x.ratio", "NaN"), Map.of()))
        .hasMessage("[TFOS-OPTION-002] Option x.ratio is 'NaN'. Give it a number from 0.0 to 1.0.");
    assertThatThrownBy(() -> table.resolve(Map.of("x.unit", "minutes"), Map.of()))
        .hasMessage("[TFOS-OPTION-002] Option x.unit is 'minutes'. Give it one of days, hours.");
    assertThatThrownBy(() -> table.resolve(Map.of("x.size", "3k"), Map.of()))
        .hasMessageContaining("at most 2048 bytes");
  }

  @Test
  void theDocumentationShowsKeyTypeDefaultAndMeaning() {
    assertThat(TABLE.toMarkdown()).contains("| `x.queueBytes` | bytes | `64m` | A size. |");
    assertThat(OptionTable.of("", Option.ofString("name", "", "A name.")).toMarkdown())
        .contains("| `name` | string |  | A name. |");
  }
}
