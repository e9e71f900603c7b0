/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.tensorflowonspark.cluster.transport.Membership;
import org.tensorflowonspark.cluster.transport.NodeAddress;
import org.tensorflowonspark.cluster.transport.NodeTransport;
import org.tensorflowonspark.cluster.transport.RpcService;
import org.tensorflowonspark.cluster.transport.TransportMode;
import org.tensorflowonspark.cluster.transport.TransportSettings;

/**
 * One rank in a process of its own. Prints its address, reads everybody's, then does what it was
 * asked to; it ends when its input does.
 */
final class ChildRank {
  private ChildRank() {}

  /** Command line of a child: rank, mode, whether to encrypt, what to do. */
  static ProcessBuilder command(int rank, TransportMode mode, boolean encrypt, String... task) {
    List<String> command = new ArrayList<>();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    command.addAll(List.of(java, "-Xmx512m", "-XX:MaxDirectMemorySize=1g", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(ChildRank.class.getName(), "" + rank, mode.name(), "" + encrypt));
    command.addAll(List.of(task));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  static String toLine(NodeAddress a) {
    return String.join("|", "" + a.rank(), a.host(), a.hostId(), "" + a.tcpPort(), a.unixPath());
  }

  static NodeAddress fromLine(String line) {
    String[] parts = line.split("\\|", -1);
    return new NodeAddress(
        Integer.parseInt(parts[0]), parts[1], parts[2], Integer.parseInt(parts[3]), parts[4]);
  }

  static TransportSettings settings(TransportMode mode, boolean encrypt) {
    return TransportSettings.of(Map.of("spark.network.crypto.enabled", "" + encrypt))
        .withMode(mode);
  }

  static NodeTransport transport(int rank, TransportMode mode, boolean encrypt) {
    return NodeTransport.open(
        Membership.node("test-cluster", 1, rank, new byte[32]),
        "127.0.0.1",
        Path.of(System.getProperty("java.io.tmpdir")),
        settings(mode, encrypt),
        RpcService.none());
  }

  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[0]);
    TransportMode mode = TransportMode.parse(args[1]);
    try (NodeTransport transport = transport(rank, mode, Boolean.parseBoolean(args[2]))) {
      System.out.println(toLine(transport.address()));
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      List<NodeAddress> roster = new ArrayList<>();
      for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        roster.add(fromLine(line));
      }
      try (Collective collective = Collective.create(transport, roster, Duration.ofSeconds(60))) {
        if (args[3].equals("bench")) {
          AllReduceTimes.run(collective, args);
        } else {
          reduceForever(collective, Integer.parseInt(args[4]));
        }
      }
    }
  }

  private static void reduceForever(Collective collective, int bytes) {
    ReduceBuffers buffers = ReduceBuffers.of(ElementType.FLOAT32, List.of(Stream.direct(bytes)));
    while (true) {
      Reduced unused = collective.allReduce(buffers, 1);
    }
  }
}
