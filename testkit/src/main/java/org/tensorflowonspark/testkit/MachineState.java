/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What LeakCheck compares.
 *
 * @param things one line for each thing, the same line as long as it is the same thing
 * @param executorPids processes of the executors at that time
 * @param socketsPerExecutor how many sockets an executor had of Spark's and the JVM's own
 */
record MachineState(Set<String> things, Set<Long> executorPids, int socketsPerExecutor) {
  private static final String OURS = "tfos";
  private static final String LISTENS = "listens on port ";
  private static final String UNNAMED = "has unnamed Unix socket ";

  static MachineState of(LocalCluster cluster) {
    Set<String> things = new LinkedHashSet<>();
    Set<Long> pids = new HashSet<>();
    int sockets = 0;
    ProcessHandle driver = ProcessHandle.current();
    List<ExecutorProcess> executors = cluster.executors();
    executors.forEach(e -> pids.add(e.pid()));
    addProcess(things, "driver", driver.pid());
    for (ExecutorProcess executor : executors) {
      String name = "executor " + executor.executorId() + " (pid " + executor.pid() + ")";
      sockets = Math.max(sockets, addProcess(things, name, executor.pid()));
    }
    driver
        .descendants()
        .filter(p -> p.isAlive() && !pids.contains(p.pid()))
        .forEach(p -> things.add("process " + p.pid() + " " + p.info().command().orElse("?")));
    addFiles(things, Path.of(System.getProperty("java.io.tmpdir")), 1);
    addFiles(things, cluster.tempDir(), 8);
    Set<String> shared = new LinkedHashSet<>();
    addFiles(shared, Path.of("/tmp"), 1);
    addFiles(shared, Path.of("/dev/shm"), 1);
    Set<Long> own = new HashSet<>(pids);
    own.add(driver.pid());
    // Folders that hold the open socket of another job on this machine are that job's.
    for (Path socket : ProcFs.socketsOfOthers(own)) {
      shared.remove("file " + socket.getParent());
    }
    things.addAll(shared);
    return new MachineState(things, pids, sockets);
  }

  /** Lines of this state that the earlier one has not. */
  Set<String> newSince(MachineState before) {
    Set<String> fresh = new LinkedHashSet<>(things);
    fresh.removeAll(before.things);
    for (long pid : executorPids) {
      if (!before.executorPids.contains(pid)) {
        // A replaced executor has as many of Spark's own as the one before, under other numbers.
        for (String kind : List.of(LISTENS, UNNAMED)) {
          fresh.stream()
              .filter(line -> line.contains("(pid " + pid + ") " + kind))
              .limit(before.socketsPerExecutor)
              .toList()
              .forEach(fresh::remove);
        }
      }
    }
    return fresh;
  }

  private static int addProcess(Set<String> things, String name, long pid) {
    for (String thread : ProcFs.threads(pid, OURS + "-")) {
      things.add(name + " thread " + thread);
    }
    List<Integer> ports = ProcFs.listeningPorts(pid);
    ports.forEach(port -> things.add(name + " " + LISTENS + port));
    List<String> unix = ProcFs.unixSockets(pid);
    unix.forEach(socket -> things.add(name + " " + socket));
    return Math.max(ports.size(), (int) unix.stream().filter(s -> s.startsWith(UNNAMED)).count());
  }

  private static void addFiles(Set<String> things, Path root, int depth) {
    try (Stream<Path> files = Files.walk(root, depth)) {
      files
          .filter(f -> !f.equals(root) && f.getFileName().toString().startsWith(OURS))
          .forEach(f -> things.add("file " + f));
    } catch (IOException | java.io.UncheckedIOException e) {
      // A folder that is not there, or that changed under the walk: the next look will see it.
      things.remove("file " + root);
    }
  }
}
