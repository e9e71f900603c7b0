/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Names the machine and container this process runs in. Two processes with the same name see the
 * same kernel and the same files, so that a Unix socket can connect them.
 */
final class HostId {
  private HostId() {}

  static String current(String host) {
    return kernel() + '/' + mountNamespace() + '/' + host;
  }

  private static String kernel() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).trim();
    } catch (IOException e) {
      return "no-boot-id";
    }
  }

  private static String mountNamespace() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")).toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "no-namespace";
    }
  }
}
