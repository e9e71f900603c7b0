/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.parts;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.tensorflowonspark.cluster.control.NodeMessage;

/** The heartbeat, the message that nodes send most, there and back through its flat form. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MessageCodec {
  private long step;

  /** Encodes one and reads it again. */
  @Benchmark
  public NodeMessage poll() {
    NodeMessage message = new NodeMessage.Poll(3, 77, 5, step++, "exchanges gradients");
    return NodeMessage.decode(message.encode());
  }
}
