/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.files;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.tensorflowonspark.sql.hadoop.RecordFile;
import org.tensorflowonspark.sql.hadoop.RecordFiles;
import org.tensorflowonspark.sql.hadoop.RecordSplit;

/**
 * Which node reads which parts of the files: every node computes it for itself and comes to the
 * same. Each part goes to exactly one node; nodes get equally many bytes, as far as parts allow.
 */
public final class RecordShards {
  /**
   * Parts that each node gets: enough to even out, few enough that finding their starts is cheap.
   */
  private static final int PARTS_PER_NODE = 16;

  private static final long MIN_PART = 256 << 10;
  private static final long MAX_PART = 128 << 20;

  private final List<RecordSplit> splits;
  private final int nodes;

  private RecordShards(List<RecordSplit> splits, int nodes) {
    this.splits = splits;
    this.nodes = nodes;
  }

  /** Cuts {@code files} for so many nodes. */
  public static RecordShards of(RecordFiles files, int nodes) {
    long part = files.bytes() / ((long) nodes * PARTS_PER_NODE);
    return of(files, nodes, Math.max(MIN_PART, Math.min(MAX_PART, part)));
  }

  static RecordShards of(RecordFiles files, int nodes, long partBytes) {
    return new RecordShards(List.copyOf(files.splits(partBytes)), nodes);
  }

  /** The parts of one node, in the order of the files. */
  public List<RecordSplit> inOrder(int node) {
    return shards(new ArrayList<>(splits)).get(node);
  }

  /** The parts of one node in one epoch, in an order that depends on the seed and the epoch. */
  public List<RecordSplit> shuffled(int node, long seed, int epoch) {
    List<RecordSplit> mixed = new ArrayList<>(splits);
    Collections.shuffle(mixed, new Random(Mix.of(Mix.of(seed) + epoch)));
    List<RecordSplit> own = shards(mixed).get(node);
    Collections.shuffle(own, new Random(Mix.of(Mix.of(seed) + epoch) + node + 1));
    return own;
  }

  /** The largest parts first, each to the node that has least (LPT rule, Graham 1969). */
  private List<List<RecordSplit>> shards(List<RecordSplit> order) {
    List<RecordSplit> largestFirst = new ArrayList<>(order);
    largestFirst.sort(Comparator.comparingLong(RecordSplit::length).reversed());
    List<List<RecordSplit>> shards = new ArrayList<>();
    long[] bytes = new long[nodes];
    for (int i = 0; i < nodes; i++) {
      shards.add(new ArrayList<>());
    }
    for (RecordSplit split : largestFirst) {
      int least = 0;
      for (int i = 1; i < nodes; i++) {
        least = bytes[i] < bytes[least] ? i : least;
      }
      shards.get(least).add(split);
      bytes[least] += split.length();
    }
    Comparator<RecordSplit> inFile = Comparator.comparing(split -> split.file().path());
    shards.forEach(shard -> shard.sort(inFile.thenComparingLong(RecordSplit::start)));
    return shards;
  }

  /** A number that differs, most likely, between listings that differ. */
  public static long fingerprint(RecordFiles files) {
    long hash = files.files().size();
    for (RecordFile file : files.files()) {
      hash = Mix.of(hash ^ Mix.of(file.path()));
      hash = Mix.of(hash + file.length());
      hash = Mix.of(hash + file.modificationTime());
    }
    return hash;
  }
}
