/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriverProcessIT {
  private static final Duration MINUTE = Duration.ofSeconds(60);

  /** A driver that waits for its end. */
  static final class Idle {
    private Idle() {}

    public static void main(String[] args) throws InterruptedException {
      try (LocalCluster cluster = LocalCluster.builder().executors(1).start()) {
        System.out.println("ready " + cluster.tempDir());
        Thread.currentThread().join();
      }
    }
  }

  /** A driver that ends by itself. */
  static final class Echo {
    private Echo() {}

    public static void main(String[] args) {
      System.out.println("got " + String.join(",", args) + " " + System.getenv("TFOS_TEST"));
      System.exit(3);
    }
  }

  @Test
  void givesOutputAndExitCode() {
    try (DriverProcess driver =
        DriverProcess.of(Echo.class).environment("TFOS_TEST", "x").start("a", "b")) {
      assertThat(driver.waitFor(MINUTE)).isEqualTo(3);
      assertThat(driver.output()).contains("got a,b x");
    }
  }

  @Test
  void executorsEndWithTheirDriver() {
    try (DriverProcess killed = DriverProcess.of(Idle.class).start()) {
      List<ExecutorProcess> executors = whenReady(killed);
      killed.kill();
      assertThat(killed.waitFor(MINUTE)).isEqualTo(137);
      executors.forEach(e -> e.awaitEnd(Duration.ofSeconds(5)));
    }
    try (DriverProcess terminated = DriverProcess.of(Idle.class).start()) {
      List<ExecutorProcess> executors = whenReady(terminated);
      String temp = terminated.output().replaceAll("(?s).*ready (\\S+).*", "$1");
      terminated.terminate();
      assertThat(terminated.waitFor(MINUTE)).isEqualTo(143);
      executors.forEach(e -> e.awaitEnd(Duration.ofSeconds(5)));
      assertThat(java.nio.file.Path.of(temp)).doesNotExist();
    }
  }

  private static List<ExecutorProcess> whenReady(DriverProcess driver) {
    driver.awaitOutput("ready", MINUTE);
    List<ExecutorProcess> executors = driver.executors();
    assertThat(executors).hasSize(1);
    return executors;
  }
}
