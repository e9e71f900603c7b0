/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalClusterIT {

  @Test
  void executorsAreProcessesThatAreReplacedAndEnd() {
    List<ExecutorProcess> last;
    Path temp;
    try (LocalCluster cluster = LocalCluster.builder().executors(2).cores(1).start()) {
      temp = cluster.tempDir();
      Map<String, Long> pids = cluster.onEachExecutor(() -> ProcessHandle.current().pid());
      assertThat(pids).hasSize(2);
      assertThat(new HashSet<>(pids.values())).hasSize(2).doesNotContain(ownPid());
      assertThat(cluster.executors())
          .allSatisfy(e -> assertThat(pids).containsEntry(e.executorId(), e.pid()));
      assertThat(cluster.spark().range(100).count()).isEqualTo(100);

      ExecutorProcess victim = cluster.executors().get(0);
      victim.kill();
      victim.awaitEnd(Duration.ofSeconds(5));
      cluster.awaitExecutors(Duration.ofSeconds(30));

      last = cluster.executors();
      assertThat(last).hasSize(2).doesNotContain(victim);
      assertThat(cluster.onEachExecutor(() -> ProcessHandle.current().pid())).hasSize(2);
    }
    assertThat(last).noneMatch(ExecutorProcess::isAlive);
    assertThat(ExecutorProcess.of(ProcessHandle.current())).isEmpty();
    assertThat(temp).doesNotExist();
  }

  @Test
  void aSuspendedExecutorGoesOn() {
    try (LocalCluster cluster = LocalCluster.builder().executors(1).start()) {
      ExecutorProcess only = cluster.executors().get(0);
      only.suspend();
      assertThat(only.isAlive()).isTrue();
      only.resume();
      assertThat(cluster.onEachExecutor(() -> ProcessHandle.current().pid()))
          .containsValue(only.pid());
      only.suspend(); // close() must cope with it
    }
  }

  private static long ownPid() {
    return ProcessHandle.current().pid();
  }
}
