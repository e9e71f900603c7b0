/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private final AtomicLong clock = new AtomicLong(-5_000_000_000L); // nanoTime may be negative
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, UTF_8);

  @Test
  void wholeLinesNowAndThen() {
    ProgressBar bar = new ProgressBar(out, false, 80, 20_000, clock::get);
    for (int second = 0; second <= 7; second++) {
      bar.update(new TrainingProgress(second * 10L, second * 1000L, 2.5 - second / 10.0, 0.5));
      clock.addAndGet(Duration.ofSeconds(1).toNanos());
    }
    bar.finish();
    assertThat(printed().lines())
        .containsExactly(
            "  0 %  step 0  loss 2.5000  accuracy 0.5000",
            " 15 %  step 30  loss 2.2000  accuracy 0.5000  1,000 rows/s  17 s left",
            " 30 %  step 60  loss 1.9000  accuracy 0.5000  1,000 rows/s  14 s left",
            " 35 %  step 70  loss 1.8000  accuracy 0.5000  1,000 rows/s  13 s left");
  }

  @Test
  void barIsRedrawnInPlace() {
    ProgressBar bar = new ProgressBar(out, true, 120, 1_000_000, clock::get);
    bar.update(new TrainingProgress(1, 0, 1, 0.1));
    clock.addAndGet(Duration.ofMillis(50).toNanos());
    bar.update(new TrainingProgress(2, 10, 1, 0.1)); // too soon
    clock.addAndGet(Duration.ofMillis(50).toNanos());
    bar.update(new TrainingProgress(3, 500, 1, 0.1));
    bar.finish();
    String[] drawn = printed().split("\r", -1);
    assertThat(drawn).hasSize(4);
    assertThat(drawn[1]).startsWith("[........................]   0 %  step 1  loss 1.0000");
    assertThat(drawn[2]).contains("step 3 ").contains("5,000 rows/s").contains("3:20 min left");
    assertThat(printed()).endsWith(System.lineSeparator());
  }

  @Test
  void barIsCutToTheTerminal() {
    ProgressBar bar = new ProgressBar(out, true, 30, 100, clock::get);
    bar.update(new TrainingProgress(1, 50, 1, 0.1));
    assertThat(printed()).isEqualTo("\r[############............]  5");
  }

  @Test
  void nothingToldNothingShown() {
    new ProgressBar(out, true, 80, 100, clock::get).finish();
    assertThat(printed()).isEmpty();
  }

  private String printed() {
    return bytes.toString(UTF_8);
  }
}
