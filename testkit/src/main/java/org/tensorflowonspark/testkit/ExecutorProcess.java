/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.tensorflowonspark.base.TfosException;

/**
 * The operating system's process of one executor, for tests of faults. A value: it goes on naming
 * the same process when Spark has replaced the executor by another one.
 *
 * @param executorId Spark's id of the executor
 * @param pid id of the process
 */
public record ExecutorProcess(String executorId, long pid) {

  /** The living executors among the descendants of a driver process, by executor id. */
  public static List<ExecutorProcess> of(ProcessHandle driver) {
    List<ExecutorProcess> found = new ArrayList<>();
    driver
        .descendants()
        .filter(ProcessHandle::isAlive)
        .forEach(
            child -> {
              List<String> command = commandLine(child);
              int id = command.indexOf("--executor-id");
              if (id >= 0 && id + 1 < command.size() && !isZombie(child.pid())) {
                found.add(new ExecutorProcess(command.get(id + 1), child.pid()));
              }
            });
    found.sort(Comparator.comparingLong(ExecutorProcess::pid));
    return found;
  }

  /** Sends SIGKILL: the process ends at once, without a chance to say so. */
  public void kill() {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  /** Sends SIGSTOP: the process lives and keeps its connections, but answers nobody. */
  public void suspend() {
    signal("STOP");
  }

  /** Sends SIGCONT: a suspended process goes on. */
  public void resume() {
    signal("CONT");
  }

  /** True until the process has ended. */
  public boolean isAlive() {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false) && !isZombie(pid);
  }

  /** Waits until the process has ended. */
  public void awaitEnd(Duration limit) {
    Eventually.within(limit, this + " has ended", () -> !isAlive());
  }

  private void signal(String name) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(pid))
              .redirectErrorStream(true)
              .start();
      String output = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!kill.waitFor(5, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        throw new TfosException(
            TestkitError.PROCESS, "Cannot send SIG" + name + " to " + this + ": " + output, "");
      }
    } catch (IOException e) {
      throw new TfosException(TestkitError.PROCESS, "Cannot run 'kill'", "", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TfosException(TestkitError.PROCESS, "Interrupted while running 'kill'", "", e);
    }
  }

  /** From /proc, since ProcessHandle cuts long command lines such as those with a class path. */
  private static List<String> commandLine(ProcessHandle process) {
    try {
      String text = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
      return List.of(text.split("\0", -1));
    } catch (IOException e) {
      return process.info().arguments().map(List::of).orElse(List.of());
    }
  }

  /** A dead child whose parent has not asked for its exit code yet counts as dead. */
  private static boolean isZombie(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return false;
    }
  }
}
