/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.base.TfosException;

class EventuallyTest {

  @Test
  void asksUntilItHolds() {
    AtomicInteger asked = new AtomicInteger();
    Eventually.within(Duration.ofSeconds(5), "third time", () -> asked.incrementAndGet() == 3);
    assertThat(asked).hasValue(3);
  }

  @Test
  void namesTheExpectationAndTheLastFailure() {
    assertThatThrownBy(
            () ->
                Eventually.within(
                    Duration.ofMillis(30),
                    "the door opens",
                    () -> {
                      throw new IOException("locked");
                    }))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("Not within 30 ms: the door opens")
        .hasMessageContaining("locked")
        .hasCauseInstanceOf(IOException.class);
  }
}
