/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What Linux tells about a process; empty answers for a process that has ended. */
final class ProcFs {
  private static final String LISTEN = "0A";

  private ProcFs() {}

  /** Threads by native name, which is the first 15 letters of Java's, with their system ids. */
  static List<String> threads(long pid, String prefix) {
    List<String> found = new ArrayList<>();
    for (Path task : list(Path.of("/proc/" + pid + "/task"))) {
      for (String name : lines(task.resolve("comm"))) {
        if (name.startsWith(prefix)) {
          found.add(name + " (tid " + task.getFileName() + ")");
        }
      }
    }
    return found;
  }

  /** TCP ports on which the process listens. */
  static List<Integer> listeningPorts(long pid) {
    Set<String> own = socketInodes(pid);
    Set<Integer> ports = new TreeSet<>();
    for (String table : List.of("tcp", "tcp6")) {
      for (String line : lines(Path.of("/proc/" + pid + "/net/" + table))) {
        String[] field = line.trim().split("\\s+", -1);
        if (field.length > 9 && field[3].equals(LISTEN) && own.contains(field[9])) {
          String local = field[1];
          ports.add(Integer.parseInt(local.substring(local.lastIndexOf(':') + 1), 16));
        }
      }
    }
    return List.copyOf(ports);
  }

  /** Unix domain sockets of the process, bound ones with their path, as clauses. */
  static List<String> unixSockets(long pid) {
    Set<String> own = socketInodes(pid);
    List<String> found = new ArrayList<>();
    for (String line : lines(Path.of("/proc/" + pid + "/net/unix"))) {
      String[] field = line.trim().split("\\s+", 8);
      if (field.length > 6 && own.contains(field[6])) {
        found.add(
            field.length > 7
                ? "has Unix socket " + field[7] + " (inode " + field[6] + ")"
                : "has unnamed Unix socket " + field[6]);
      }
    }
    return found;
  }

  /** Paths of the Unix sockets that are open in this machine, but in none of these processes. */
  static Set<Path> socketsOfOthers(Set<Long> pids) {
    Set<String> own = new HashSet<>();
    pids.forEach(pid -> own.addAll(socketInodes(pid)));
    Set<Path> paths = new HashSet<>();
    for (String line : lines(Path.of("/proc/self/net/unix"))) {
      String[] field = line.trim().split("\\s+", 8);
      if (field.length > 7 && field[7].startsWith("/") && !own.contains(field[6])) {
        paths.add(Path.of(field[7]));
      }
    }
    return paths;
  }

  private static Set<String> socketInodes(long pid) {
    Set<String> inodes = new HashSet<>();
    for (Path descriptor : list(Path.of("/proc/" + pid + "/fd"))) {
      try {
        String target = Files.readSymbolicLink(descriptor).toString();
        if (target.startsWith("socket:[")) {
          inodes.add(target.substring("socket:[".length(), target.length() - 1));
        }
      } catch (IOException e) {
        inodes.remove(""); // closed since it was listed
      }
    }
    return inodes;
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    } catch (IOException | java.io.UncheckedIOException e) {
      return List.of();
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
