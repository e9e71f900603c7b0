/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private static final ProgressBar.Pace AT_ONCE =
      new ProgressBar.Pace(Duration.ZERO, Duration.ofSeconds(3));
  private static final ProgressBar.Pace LATER =
      new ProgressBar.Pace(Duration.ofSeconds(2), Duration.ofSeconds(3));

  private final AtomicLong clock = new AtomicLong(-5_000_000_000L); // nanoTime may be negative
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, UTF_8);

  @Test
  void wholeLinesNowAndThen() {
    ProgressBar bar = bar(false, 80, AT_ONCE, 20_000);
    for (int second = 0; second <= 7; second++) {
      bar.update(second * 1000L, "step " + second * 10);
      passes(Duration.ofSeconds(1));
    }
    bar.finish();
    assertThat(printed().lines())
        .containsExactly(
            "  0 %  step 0",
            " 15 %  step 30  1,000 rows/s  17 s left",
            " 30 %  step 60  1,000 rows/s  14 s left",
            " 35 %  step 70  1,000 rows/s  13 s left");
  }

  @Test
  void barIsRedrawnInPlace() {
    ProgressBar bar = bar(true, 120, AT_ONCE, 1_000_000);
    bar.update(0, "step 1");
    passes(Duration.ofMillis(50));
    bar.update(10, "step 2"); // too soon
    passes(Duration.ofMillis(50));
    bar.update(500, "step 3");
    bar.finish();
    String[] drawn = printed().split("\r", -1);
    assertThat(drawn).hasSize(4);
    assertThat(drawn[1]).startsWith("[........................]   0 %  step 1");
    assertThat(drawn[2]).contains("step 3 ").contains("5,000 rows/s").contains("3:20 min left");
    assertThat(printed()).endsWith(System.lineSeparator());
  }

  @Test
  void barIsCutToTheTerminal() {
    bar(true, 30, AT_ONCE, 100).update(50, "step 1");
    assertThat(printed()).isEqualTo("\r[############............]  5");
  }

  @Test
  void nothingToldNothingShown() {
    bar(true, 80, AT_ONCE, 100).finish();
    assertThat(printed()).isEmpty();
  }

  @Test
  void shortWorkShowsNothing() {
    ProgressBar bar = bar(true, 80, LATER, 100);
    bar.update(0, "one");
    passes(Duration.ofMillis(1999));
    bar.update(100, "two");
    bar.finish();
    assertThat(printed()).isEmpty();
  }

  @Test
  void longWorkIsShownOnceItIsLong() {
    ProgressBar bar = bar(false, 80, LATER, 100);
    bar.update(0, "one");
    passes(Duration.ofSeconds(2));
    bar.update(50, "two");
    bar.finish();
    assertThat(printed().lines()).containsExactly(" 50 %  two  25 rows/s  2 s left");
  }

  private ProgressBar bar(boolean terminal, int width, ProgressBar.Pace pace, long total) {
    return new ProgressBar(
        new Screen(out, terminal, width),
        pace,
        total,
        rate -> String.format(Locale.ROOT, "%,.0f rows/s", rate),
        clock::get);
  }

  private void passes(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  private String printed() {
    return bytes.toString(UTF_8);
  }
}
