/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.tensorflowonspark.cluster.control.Member;
import org.tensorflowonspark.cluster.feed.NodeAddresses;
import org.tensorflowonspark.cluster.transport.NodeAddress;

/**
 * The roster in the form of TensorFlow's {@code TF_CONFIG} variable: {@code
 * {"cluster":{"chief":["h:1"],"worker":["h:2"]},"task":{"type":"worker","index":0}}}.
 */
final class TfConfig {
  private TfConfig() {}

  static String of(List<Member> roster, Member self) {
    Map<String, List<String>> tasks = new LinkedHashMap<>();
    for (Member member : roster) {
      NodeAddress address = NodeAddresses.parse(member.address());
      // Host names, addresses and role names need no escapes in JSON.
      tasks
          .computeIfAbsent(member.role().taskType(), t -> new ArrayList<>())
          .add("\"" + hostPort(address.host(), address.tcpPort()) + "\"");
    }
    String cluster =
        tasks.entrySet().stream()
            .map(e -> "\"" + e.getKey() + "\":[" + String.join(",", e.getValue()) + "]")
            .collect(Collectors.joining(","));
    return "{\"cluster\":{%s},\"task\":{\"type\":\"%s\",\"index\":%d}}"
        .formatted(cluster, self.role().taskType(), self.taskIndex());
  }

  private static String hostPort(String host, int port) {
    return host.contains(":") && !host.startsWith("[")
        ? "[" + host + "]:" + port
        : host + ":" + port;
  }
}
