/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The addition within an all-reduce, 1 MB of float32. In the package of the collective since the
 * kernels are not public.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KernelAdd {
  private static final int BYTES = 1 << 20;

  private final Kernels kernels = new Kernels();
  private final ByteBuffer mine = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
  private final ByteBuffer theirs = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());

  /** Half of one plus half of the other, as two ranks with as many rows each. */
  @Benchmark
  public ByteBuffer add() {
    kernels.combine(ElementType.FLOAT32, mine, theirs, 0.5, 0.5);
    return mine;
  }

  /** The least: a copy of as many bytes. */
  @Benchmark
  public ByteBuffer copy() {
    return mine.put(0, theirs, 0, BYTES);
  }
}
