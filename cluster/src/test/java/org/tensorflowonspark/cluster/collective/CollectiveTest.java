/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.cluster.transport.NodeAddress;
import org.tensorflowonspark.cluster.transport.NodeTransport;
import org.tensorflowonspark.cluster.transport.TransportMode;

/** Operations against a plain oracle, on ranks in this process and in others. */
class CollectiveTest {
  private static final int[] SIZES = {1, 3, 0, 7, 1000, 5, 4096, 33, 120_001, 2, 4097};

  @ParameterizedTest
  @CsvSource({"1,UNIX", "2,UNIX", "3,UNIX", "5,UNIX", "2,TCP", "3,TCP", "5,TCP"})
  void theWeightedMeanIsRightAndTheSameToTheBitOnAllRanksAndRuns(int n, TransportMode mode) {
    List<Tensors> first = means(n, mode, false, 7, 100);
    for (Tensors rank : first) {
      assertThat(rank.bytes()).isEqualTo(first.get(0).bytes());
    }
    assertThat(means(n, mode, false, 7, 100).get(0).bytes()).isEqualTo(first.get(0).bytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void theWeightedMeanIsRightOverEncryptedLinks(int n) {
    assertThat(means(n, TransportMode.TCP, true, 8, 100)).hasSize(n);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void aFewSmallBuffersTakeTheShortWayWithTheSameResult(int n) {
    assertThat(means(n, TransportMode.UNIX, false, 9, 1)).hasSize(n);
  }

  private static List<Tensors> means(
      int n, TransportMode mode, boolean encrypt, long seed, int scale) {
    try (Ranks ranks = new Ranks(n, mode, encrypt, Duration.ofSeconds(20))) {
      double[] weights = new Random(seed).doubles(n, 0.1, 100).toArray();
      double total = java.util.Arrays.stream(weights).sum();
      return ranks.all(
          c -> {
            Tensors mine = Tensors.random(ElementType.FLOAT32, sizes(scale), seed + c.rank());
            for (int round = 0; round < 3; round++) {
              mine = Tensors.random(ElementType.FLOAT32, sizes(scale), seed + c.rank());
              Reduced reduced = c.allReduce(mine, weights[c.rank()], 1, c.rank());
              assertThat(reduced.totalWeight()).isEqualTo(total, within(1e-9));
              assertThat(reduced.scalar(0)).isEqualTo(n);
              assertThat(reduced.scalars()[1]).isEqualTo(n * (n - 1) / 2.0);
            }
            for (int i = 0; i < mine.count(); i++) {
              for (int e = 0; e < mine.elements(i); e++) {
                double expected = 0;
                for (int r = 0; r < n; r++) {
                  expected +=
                      weights[r] / total * Tensors.value(ElementType.FLOAT32, seed + r, i, e);
                }
                assertThat(Math.abs(mine.get(i, e) - expected)).isLessThan(2e-4);
              }
            }
            return mine;
          });
    }
  }

  private static int[] sizes(int scale) {
    return scale == 1 ? new int[] {1, 17, 0, 300, 5} : SIZES;
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void everyTypeIsAddedInSmallAndLargeBuffers(ElementType type) {
    for (int n : new int[] {1, 2, 3}) {
      for (int[] sizes : new int[][] {{1, 0, 9}, SIZES}) {
        try (Ranks ranks = new Ranks(n, TransportMode.UNIX, false, Duration.ofSeconds(20))) {
          List<Tensors> sums =
              ranks.all(
                  c -> {
                    Tensors mine = Tensors.random(type, sizes, 100 + c.rank());
                    Reduced unused = c.allReduceSum(mine);
                    return mine;
                  });
          Tensors sum = sums.get(0);
          for (int i = 0; i < sum.count(); i++) {
            for (int e = 0; e < sum.elements(i); e++) {
              double expected = 0;
              for (int r = 0; r < n; r++) {
                expected += Tensors.value(type, 100 + r, i, e);
              }
              assertThat(Math.abs(sum.get(i, e) - expected)).isLessThan(Tensors.tolerance(type));
            }
          }
          sums.forEach(s -> assertThat(s.bytes()).isEqualTo(sum.bytes()));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void ranksOfWeightZeroContributeNothingAndNoWeightAtAllGivesZeros(int n) {
    for (int[] sizes : new int[][] {{5}, {200_000}}) {
      try (Ranks ranks = new Ranks(n, TransportMode.UNIX, false, Duration.ofSeconds(20))) {
        List<Tensors> results =
            ranks.all(
                c -> {
                  Tensors mine = Tensors.random(ElementType.FLOAT32, sizes, 1);
                  if (c.rank() > 0) {
                    mine.fillFloat(Float.NaN);
                  }
                  Reduced reduced = c.allReduce(mine, c.rank() == 0 ? 3 : 0);
                  assertThat(reduced.totalWeight()).isEqualTo(3);
                  return mine;
                });
        Tensors expected = Tensors.random(ElementType.FLOAT32, sizes, 1);
        results.forEach(r -> assertThat(r.bytes()).isEqualTo(expected.bytes()));
        ranks.all(
            c -> {
              Tensors mine = new Tensors(ElementType.FLOAT32, sizes);
              mine.fillFloat(Float.NaN);
              assertThat(c.allReduce(mine, 0, 2.5).scalar(0)).isEqualTo(2.5 * n);
              assertThat(mine.bytes()).isEqualTo(new Tensors(ElementType.FLOAT32, sizes).bytes());
              return mine;
            });
      }
    }
  }

  @Test
  void manySmallTensorsAndABigOneGoTogether() {
    int[] sizes = new int[600];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = i == 300 ? 3_000_000 : 1 + i * 13 % 700;
    }
    for (int n : new int[] {2, 3}) {
      try (Ranks ranks = new Ranks(n, TransportMode.UNIX, false, Duration.ofSeconds(20))) {
        List<Tensors> sums =
            ranks.all(
                c -> {
                  Tensors mine = Tensors.random(ElementType.INT32, sizes, c.rank());
                  Reduced unused = c.allReduceSum(mine);
                  return mine;
                });
        Random pick = new Random(4);
        for (int i = 0; i < sizes.length; i++) {
          int e = pick.nextInt(sizes[i]);
          double expected = 0;
          for (int r = 0; r < n; r++) {
            expected += Tensors.value(ElementType.INT32, r, i, e);
          }
          assertThat(sums.get(n - 1).get(i, e)).isEqualTo(expected);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void broadcastGatherAndBarrierWork(int n) {
    try (Ranks ranks = new Ranks(n, TransportMode.UNIX, false, Duration.ofSeconds(20))) {
      ranks.all(
          c -> {
            for (int root = 0; root < n; root++) {
              Tensors mine = Tensors.random(ElementType.FLOAT64, SIZES, c.rank());
              c.broadcast(root, mine);
              assertThat(mine.bytes())
                  .isEqualTo(Tensors.random(ElementType.FLOAT64, SIZES, root).bytes());
              c.barrier();
              byte[] word = "x".repeat(c.rank() * 3000).getBytes(StandardCharsets.UTF_8);
              byte[][] all = c.allGather(word);
              for (int r = 0; r < n; r++) {
                assertThat(all[r]).hasSize(r * 3000);
              }
            }
            return "";
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void ranksThatDisagreeAllLearnIt(int n) {
    for (int large : new int[] {10, 500_000}) {
      try (Ranks ranks = new Ranks(n, TransportMode.UNIX, false, Duration.ofSeconds(5))) {
        ranks.all(
            c -> {
              int size = large + (c.rank() == 1 ? 1 : 0);
              Tensors mine = new Tensors(ElementType.FLOAT32, new int[] {size});
              assertThatThrownBy(() -> c.allReduce(mine, 1))
                  .hasMessageContaining(CollectiveError.MISMATCH.code())
                  .hasMessageContaining("allReduce #0 of " + 4 * large + " bytes")
                  .hasMessageContaining("rank 1 in allReduce #0 of " + (4 * large + 4) + " bytes");
              assertThatThrownBy(c::barrier).hasMessageContaining(CollectiveError.UNUSABLE.code());
              return "";
            });
      }
    }
    try (Ranks ranks = new Ranks(n, TransportMode.UNIX, false, Duration.ofSeconds(5))) {
      ranks.all(
          c -> {
            assertThatThrownBy(
                    () -> {
                      if (c.rank() == 0) {
                        c.barrier();
                      } else {
                        Reduced unused = c.allReduce(ReduceBuffers.none(), 1);
                      }
                    })
                .hasMessageContaining(CollectiveError.MISMATCH.code())
                .hasMessageContaining("rank 0 in barrier #0");
            return "";
          });
    }
  }

  @Test
  void aRankThatDoesNotComeIsNamed() {
    try (Ranks ranks = new Ranks(2, TransportMode.UNIX, false, Duration.ofMillis(500))) {
      ranks.all(
          c -> {
            c.barrier();
            if (c.rank() == 0) {
              assertThatThrownBy(c::barrier)
                  .hasMessageContaining(CollectiveError.NO_PROGRESS.code())
                  .hasMessageContaining("barrier #1 on rank 0 of 2")
                  .hasMessageContaining("waited 0.5 s without progress for rank 1");
            }
            return "";
          });
    }
  }

  @Test
  void abortEndsTheWaitWithItsCause() {
    try (Ranks ranks = new Ranks(2, TransportMode.TCP, false, Duration.ofSeconds(30))) {
      ranks.all(
          c -> {
            c.barrier();
            return "";
          });
      Collective waiting = ranks.collectives.get(0);
      Future<Object> wait =
          ranks.start(
              () -> {
                waiting.barrier();
                return "";
              });
      IllegalStateException cause = new IllegalStateException("rank 1 failed at step 7");
      long start = System.nanoTime();
      waiting.abort(cause);
      assertThatThrownBy(() -> Ranks.get(wait)).hasRootCause(cause);
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(2));
    }
  }

  @Test
  void badArgumentsAreRefusedBeforeAnythingIsSent() {
    try (Ranks ranks = new Ranks(1, TransportMode.UNIX, false, Duration.ofSeconds(5))) {
      Collective c = ranks.collectives.get(0);
      ReduceBuffers heap = ReduceBuffers.of(ElementType.FLOAT32, List.of(ByteBuffer.allocate(4)));
      assertThatThrownBy(() -> c.allReduce(ReduceBuffers.none(), Double.NaN))
          .hasMessageContaining("Weight of rank 0 is NaN");
      assertThatThrownBy(() -> c.allReduce(ReduceBuffers.none(), -1)).hasMessageContaining("-1.0");
      assertThatThrownBy(() -> c.broadcast(1, ReduceBuffers.none()))
          .hasMessageContaining("no rank 1");
      assertThatThrownBy(() -> c.allReduceSum(heap)).hasMessageContaining("Buffer 0 of FLOAT32");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TransportMode.class,
      names = {"UNIX", "TCP"})
  void aRankWhoseProcessIsKilledInMidTransferIsNoticedAtOnce(TransportMode mode)
      throws IOException {
    Process child = ChildRank.command(1, mode, false, "reduce", "" + (40 << 20)).start();
    try (BufferedReader out =
            new BufferedReader(
                new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
        NodeTransport transport = ChildRank.transport(0, mode, false)) {
      List<NodeAddress> roster =
          new ArrayList<>(List.of(transport.address(), ChildRank.fromLine(out.readLine())));
      Writer in = child.outputWriter(StandardCharsets.UTF_8);
      in.write(ChildRank.toLine(roster.get(0)) + "\n" + ChildRank.toLine(roster.get(1)) + "\n\n");
      in.flush();
      try (Collective c = Collective.create(transport, roster, Duration.ofSeconds(60))) {
        ReduceBuffers buffers =
            ReduceBuffers.of(ElementType.FLOAT32, List.of(Stream.direct(40 << 20)));
        Reduced unused = c.allReduce(buffers, 1);
        Process killed = child.destroyForcibly();
        long start = System.nanoTime();
        assertThatThrownBy(
                () -> {
                  while (killed.pid() != 0) {
                    Reduced ignored = c.allReduce(buffers, 1);
                  }
                })
            .hasMessageContaining(CollectiveError.PEER_FAILED.code())
            .hasMessageContaining("lost rank 1");
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(2));
      }
    } finally {
      Process unused = child.destroyForcibly();
    }
  }
}
