/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.tensorflowonspark.cluster.collective.Collective;
import org.tensorflowonspark.cluster.collective.ElementType;
import org.tensorflowonspark.cluster.collective.ReduceBuffers;
import org.tensorflowonspark.cluster.collective.Reduced;
import org.tensorflowonspark.cluster.feed.NodeAddresses;
import org.tensorflowonspark.cluster.transport.Membership;
import org.tensorflowonspark.cluster.transport.NodeAddress;
import org.tensorflowonspark.cluster.transport.NodeTransport;
import org.tensorflowonspark.cluster.transport.RpcService;
import org.tensorflowonspark.cluster.transport.TransportMode;
import org.tensorflowonspark.cluster.transport.TransportSettings;

/**
 * One of two ranks, in a process of its own. Says its address, reads both, then takes requests:
 * what ({@code reduce} or {@code bare}), bytes, rounds of warm-up, timed rounds; and answers with
 * the median of the microseconds.
 */
final class RankProcess {
  private final int rank;
  private final Collective collective;
  private final BareSocket bare;

  private RankProcess(int rank, Collective collective, BareSocket bare) {
    this.rank = rank;
    this.collective = collective;
    this.bare = bare;
  }

  /** Arguments: rank, transport, a folder for sockets. */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[0]);
    Path folder = Path.of(args[2]);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (NodeTransport transport =
        NodeTransport.open(
            Membership.node("benchmark", 1, rank, new byte[32]),
            "127.0.0.1",
            folder,
            TransportSettings.of(Map.of()).withMode(TransportMode.parse(args[1])),
            RpcService.none())) {
      System.out.println(NodeAddresses.format(transport.address()));
      List<NodeAddress> roster =
          List.of(NodeAddresses.parse(in.readLine()), NodeAddresses.parse(in.readLine()));
      try (BareSocket bare = BareSocket.open(rank, folder.resolve("bare-" + args[1]));
          Collective collective = Collective.create(transport, roster, Duration.ofSeconds(60))) {
        RankProcess process = new RankProcess(rank, collective, bare);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          System.out.println(process.answer(line.split(" ", -1)));
        }
      }
    }
  }

  private double answer(String[] request) throws IOException {
    int bytes = Integer.parseInt(request[1]);
    int warm = Integer.parseInt(request[2]);
    int rounds = Integer.parseInt(request[3]);
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    return request[0].equals("bare") ? bare(buffer, warm, rounds) : reduce(buffer, warm, rounds);
  }

  private double bare(ByteBuffer mine, int warm, int rounds) throws IOException {
    ByteBuffer theirs = ByteBuffer.allocateDirect(mine.capacity());
    double[] micros = new double[rounds];
    for (int i = -warm; i < rounds; i++) {
      long start = System.nanoTime();
      bare.exchange(mine.clear(), theirs.clear());
      if (i >= 0) {
        micros[i] = (System.nanoTime() - start) / 1e3;
      }
    }
    Arrays.sort(micros);
    return micros[rounds / 2];
  }

  private double reduce(ByteBuffer buffer, int warm, int rounds) {
    ReduceBuffers buffers = ReduceBuffers.of(ElementType.FLOAT32, List.of(buffer));
    verify(buffer, buffers);
    double[] micros = new double[rounds];
    for (int i = -warm; i < rounds; i++) {
      long start = System.nanoTime();
      Reduced unused = collective.allReduce(buffers, 1);
      if (i >= 0) {
        micros[i] = (System.nanoTime() - start) / 1e3;
      }
    }
    Arrays.sort(micros);
    return micros[rounds / 2];
  }

  private void verify(ByteBuffer buffer, ReduceBuffers buffers) {
    int count = buffer.capacity() / Float.BYTES;
    for (int i = 0; i < count; i++) {
      buffer.putFloat(i * Float.BYTES, i % 1000 + rank);
    }
    Reduced unused = collective.allReduceSum(buffers);
    for (int i = 0; i < count; i++) {
      Executors.check(buffer.getFloat(i * Float.BYTES) == i % 1000 * 2 + 1, "sum of float " + i);
    }
  }
}
