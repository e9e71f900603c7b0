/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.cluster.columns.Chunk;
import org.tensorflowonspark.cluster.columns.ChunkBuilder;
import org.tensorflowonspark.cluster.columns.ChunkMemory;
import org.tensorflowonspark.cluster.columns.ChunkReader;
import org.tensorflowonspark.cluster.columns.ColumnPlan;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.cluster.columns.RowPicks;
import org.tensorflowonspark.cluster.columns.RowSink;
import org.tensorflowonspark.tensorflow.DType;

class RowOrderTest {
  private static final List<ColumnTarget> TARGETS =
      List.of(ColumnTarget.of("id", "id", DType.INT64));
  private static final ColumnPlan PLAN =
      ColumnPlan.of(new StructType().add("id", DataTypes.LongType, false), TARGETS);

  private static ChunkSource chunks(int... sizes) {
    List<Chunk> chunks = new ArrayList<>();
    long id = 0;
    for (int size : sizes) {
      ChunkBuilder builder = ChunkBuilder.of(PLAN, Math.max(1, size), 1 << 20, ChunkMemory.heap());
      for (int i = 0; i < size; i++) {
        builder.append(new GenericInternalRow(new Object[] {id++}));
      }
      chunks.add(builder.build());
    }
    Iterator<Chunk> left = chunks.iterator();
    return new ChunkSource() {
      @Override
      public @Nullable Chunk next() {
        return left.hasNext() ? left.next() : null;
      }

      @Override
      public boolean maybeMore() {
        return left.hasNext();
      }

      @Override
      public boolean isReadOnce() {
        return false;
      }
    };
  }

  private static List<List<Long>> batches(RowOrder order, int size) throws InterruptedException {
    List<List<Long>> batches = new ArrayList<>();
    RowPicks picks = new RowPicks();
    ChunkReader reader = new ChunkReader(TARGETS);
    while (true) {
      picks.clear();
      order.pick(picks, size);
      if (picks.rows() == 0) {
        assertThat(order.maybeMore()).isFalse();
        return batches;
      }
      ByteBuffer ids = ByteBuffer.allocateDirect(size * 8).order(ByteOrder.nativeOrder());
      reader.fill(picks, sink(ids));
      order.copied();
      batches.add(IntStream.range(0, picks.rows()).mapToObj(i -> ids.getLong(i * 8)).toList());
    }
  }

  private static RowSink sink(ByteBuffer ids) {
    return new RowSink() {
      @Override
      public ByteBuffer numbers(int column, long[] shape) {
        return ids;
      }

      @Override
      public void strings(int column, long[] shape) {
        throw new AssertionError();
      }

      @Override
      public void string(int column, int element, byte[] bytes, int offset, int length) {
        throw new AssertionError();
      }
    };
  }

  private static List<Long> flat(List<List<Long>> batches) {
    return batches.stream().flatMap(List::stream).toList();
  }

  @Test
  void batchesGoAcrossChunksAndOnlyTheLastIsPartial() throws InterruptedException {
    List<List<Long>> batches = batches(RowOrder.sequential(chunks(3, 0, 1, 10, 0)), 4);

    assertThat(batches).extracting(List::size).containsExactly(4, 4, 4, 2);
    assertThat(flat(batches)).isSorted().hasSize(14).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 50, 1000})
  void aShuffleHasEveryRowOnceWhateverItsWindow(int window) throws InterruptedException {
    RowOrder order = RowOrder.shuffled(chunks(5, 20, 0, 25), new Random(3), window);

    List<Long> rows = flat(batches(order, 8));

    assertThat(rows).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void aShuffleDependsOnItsSeedAlone() throws InterruptedException {
    List<Long> once = flat(batches(RowOrder.shuffled(chunks(30, 30), new Random(1), 16), 8));
    List<Long> again = flat(batches(RowOrder.shuffled(chunks(30, 30), new Random(1), 16), 8));
    List<Long> other = flat(batches(RowOrder.shuffled(chunks(30, 30), new Random(2), 16), 8));

    assertThat(again).isEqualTo(once);
    assertThat(other).isNotEqualTo(once);
    assertThat(once.subList(0, 8)).isNotEqualTo(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L));
  }
}
