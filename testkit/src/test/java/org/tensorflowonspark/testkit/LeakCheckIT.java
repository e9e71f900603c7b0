/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.apache.spark.SparkEnv;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LeakCheckIT {

  /** Lives in each executor. */
  static final class Leak {
    static final CountDownLatch END = new CountDownLatch(1);

    private Leak() {}

    static String start() throws Exception {
      Path folder = Files.createTempDirectory("tfos-leak-");
      ServerSocketChannel unix = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      unix.bind(UnixDomainSocketAddress.of(folder.resolve("s")));
      ServerSocketChannel tcp = ServerSocketChannel.open().bind(null);
      Thread thread =
          new Thread(
              () -> {
                try {
                  END.await();
                  unix.close();
                  tcp.close();
                  Files.delete(folder.resolve("s"));
                  Files.delete(folder);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              },
              "tfos-leaky");
      thread.start();
      return SparkEnv.get().executorId();
    }
  }

  @Test
  void namesWhatIsLeftUntilItIsGone() {
    try (LocalCluster cluster = LocalCluster.builder().executors(2).start()) {
      cluster.onEachExecutor(() -> 1); // Spark's own lazy start is no leak
      LeakCheck check = LeakCheck.before(cluster);
      check.assertClean(Duration.ofSeconds(1));

      cluster.onEachExecutor(Leak::start);
      Thread mine = new Thread(LeakCheckIT::pause, "tfos-mine");
      mine.start();
      assertThatThrownBy(() -> check.assertClean(Duration.ofMillis(100)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("driver thread tfos-mine")
          .hasMessageContaining("thread tfos-leaky")
          .hasMessageContaining("listens on port")
          .hasMessageContaining("Unix socket")
          .hasMessageContaining("tfos-leak-")
          .hasMessageContaining("CountDownLatch.await");

      mine.interrupt();
      cluster.onEachExecutor(
          () -> {
            Leak.END.countDown();
            return 0;
          });
      check.assertClean(Duration.ofSeconds(5));

      cluster.executors().get(0).kill();
      cluster.awaitExecutors(Duration.ofSeconds(30));
      check.assertClean(Duration.ofSeconds(5));
    }
  }

  private static void pause() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
