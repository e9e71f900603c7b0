/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.collective;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.transport.NodeAddress;
import org.tensorflowonspark.cluster.transport.NodeTransport;
import org.tensorflowonspark.cluster.transport.TransportError;

/**
 * What all nodes of a cluster do together. One for each node, on executors, for the node's program
 * thread; every rank calls the same operations in the same order. Operations block; a wait in which
 * nothing arrives within the timeout fails and names the rank waited for. After a failure the
 * collective is of no more use. Only {@link #abort} and {@link #close} may come from other threads.
 *
 * <p>Large all-reduces are rings, reduce-scatter then all-gather, pipelined in chunks (Patarasuk
 * and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009); small
 * ones send every contribution to all and add locally. Results are the same bits on every rank and
 * on every run with the same number of ranks.
 */
public final class Collective implements AutoCloseable {
  /** Contributions up to this size in all go to every rank at once. */
  private static final int SMALL_BYTES = 64 << 10;

  private final int rank;
  private final NodeTransport transport;
  private final Ring ring;
  private final Exchange exchange;
  private final Stream stream;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private long sequence;

  private Collective(NodeTransport transport, List<NodeAddress> roster, Duration progressTimeout) {
    this.rank = transport.address().rank();
    this.transport = transport;
    if (roster.isEmpty() || rank >= roster.size()) {
      throw new TfosException(
          CollectiveError.INVALID_ARGUMENT,
          "Rank " + rank + " is not in a roster of " + roster.size(),
          "");
    }
    for (int i = 0; i < roster.size(); i++) {
      if (roster.get(i).rank() != i) {
        throw new TfosException(
            CollectiveError.INVALID_ARGUMENT,
            "The roster has rank " + roster.get(i).rank() + " at place " + i,
            "");
      }
    }
    ring = new Ring(rank, List.copyOf(roster), transport, progressTimeout);
    exchange = new Exchange(rank, ring);
    stream = new Stream(ring);
  }

  /**
   * A collective over the nodes of {@code roster}; connects at the first operation.
   *
   * @param transport this node's transport; stays the caller's
   * @param roster addresses of all nodes, by rank
   * @param progressTimeout how long a wait may go without progress
   */
  public static Collective create(
      NodeTransport transport, List<NodeAddress> roster, Duration progressTimeout) {
    return new Collective(transport, roster, progressTimeout);
  }

  /** This node's rank. */
  public int rank() {
    return rank;
  }

  /** Number of nodes. */
  public int size() {
    return ring.size();
  }

  /**
   * Replaces every buffer by the weighted mean over all ranks, {@code sum(w * x) / sum(w)}, and
   * adds up the scalars. A rank of weight zero contributes nothing, whatever its buffers hold; if
   * all weights are zero the buffers become zero. Integers are summed, over ranks of weight above
   * zero.
   *
   * @param buffers contribution and result; not to be touched meanwhile
   * @param weight weight of this rank, such as its number of rows; finite, not negative
   * @param scalars numbers to be summed as they are; as many on every rank
   */
  public Reduced allReduce(ReduceBuffers buffers, double weight, double... scalars) {
    if (!(weight >= 0) || Double.isInfinite(weight)) {
      throw new TfosException(
          CollectiveError.INVALID_ARGUMENT,
          "Weight of rank " + rank + " is " + weight,
          "Give a finite number that is not negative.");
    }
    return run(Packet.Op.ALL_REDUCE, () -> reduce(Packet.Op.ALL_REDUCE, buffers, weight, scalars));
  }

  /** Replaces every buffer by the sum over all ranks, and adds up the scalars. */
  public Reduced allReduceSum(ReduceBuffers buffers, double... scalars) {
    return run(
        Packet.Op.ALL_REDUCE_SUM, () -> reduce(Packet.Op.ALL_REDUCE_SUM, buffers, 1, scalars));
  }

  /** Copies the buffers of rank {@code root} to all others. */
  public void broadcast(int root, ReduceBuffers buffers) {
    if (root < 0 || root >= size()) {
      throw new TfosException(
          CollectiveError.INVALID_ARGUMENT, "There is no rank " + root + " to broadcast", "");
    }
    Object unused = run(Packet.Op.BROADCAST, () -> spread(root, new Layout(buffers)));
  }

  /** Every rank's bytes, by rank; at most 64 MB each, meant for small ones. */
  public byte[][] allGather(byte[] mine) {
    if (mine.length > Exchange.MAX_PAYLOAD) {
      throw new TfosException(
          CollectiveError.INVALID_ARGUMENT,
          "Rank " + rank + " gives " + mine.length + " bytes to an all-gather",
          "Use at most " + Exchange.MAX_PAYLOAD + ".");
    }
    return run(Packet.Op.ALL_GATHER, () -> gather(mine));
  }

  /** Returns when every rank has called it. */
  public void barrier() {
    Object unused =
        run(
            Packet.Op.BARRIER,
            () -> {
              round(packet(Packet.Op.BARRIER, 0, 0, 0, 0, 0), new double[0]);
              return this;
            });
  }

  private interface Operation<T> {
    T run();
  }

  private <T> T run(Packet.Op op, Operation<T> operation) {
    if (!busy.compareAndSet(false, true)) {
      throw new TfosException(
          CollectiveError.UNUSABLE,
          op + " was called while another operation runs",
          "Use one thread.");
    }
    long before = ring.received();
    try {
      Throwable earlier = failure.get();
      if (earlier != null) {
        throw new TfosException(
            CollectiveError.UNUSABLE,
            op + " #" + sequence + " on rank " + rank + " cannot run after a failure",
            "",
            earlier);
      }
      T result = operation.run();
      sequence++;
      stream.reset();
      return result;
    } catch (TfosException e) {
      TfosException told = told(op, ring.received() - before, e);
      boolean unused = failure.compareAndSet(null, told);
      throw told;
    } finally {
      busy.set(false);
    }
  }

  /** The failure with what was being done; the cause of an abort comes out as the cause. */
  private TfosException told(Packet.Op op, long received, TfosException e) {
    String code = e.code();
    if (!code.startsWith("TFOS-TRANSPORT-")) {
      return e;
    }
    CollectiveError error = CollectiveError.PEER_FAILED;
    Throwable cause = e;
    if (code.equals(TransportError.TIMED_OUT.code())) {
      error = CollectiveError.NO_PROGRESS;
    } else if (code.equals(TransportError.ABORTED.code())) {
      error = CollectiveError.ABORTED;
      cause = e.getCause() == null ? e : e.getCause();
    } else if (code.equals(TransportError.CLOSED.code())) {
      error = CollectiveError.UNUSABLE;
    }
    return new TfosException(
        error,
        String.format(
            "%s #%d on rank %d of %d failed with %d bytes received: %s",
            op, sequence, rank, size(), received, e.getMessage()),
        "",
        cause);
  }

  private Packet packet(
      Packet.Op op, long bytes, long hash, double weight, int scalars, int payload) {
    if (scalars > Packet.MAX_SCALARS) {
      throw new TfosException(
          CollectiveError.INVALID_ARGUMENT, "There are " + scalars + " scalars", "Use a buffer.");
    }
    return new Packet(rank, op, sequence, bytes, hash, weight, scalars, payload);
  }

  /** One round without data after it. */
  private void round(Packet mine, double[] scalars) {
    ByteBuffer unused = exchange.begin(mine, scalars);
    exchange.start();
    exchange.complete();
    finish();
  }

  private void finish() {
    if (size() > 1) {
      ring.finish();
    }
  }

  private Reduced reduce(Packet.Op op, ReduceBuffers buffers, double weight, double[] scalars) {
    Layout layout = new Layout(buffers);
    long bytes = layout.bytes();
    boolean small = bytes * Math.max(1, size() - 1) <= SMALL_BYTES;
    int payload = small && size() > 1 ? (int) bytes : 0;
    ByteBuffer slot =
        exchange.begin(packet(op, bytes, layout.hash(), weight, scalars.length, payload), scalars);
    if (payload > 0) {
      for (int i = 0; i < layout.count(); i++) {
        slot.put(layout.buffer(i).duplicate());
      }
    }
    exchange.start();
    long[] cuts = cuts(layout);
    // With two ranks nothing has to be passed on first, so that data follows in the same breath.
    boolean early = !small && size() == 2;
    if (early) {
      stream.send(layout, cuts[rank], cuts[rank + 1]);
    }
    exchange.complete();
    double total = 0;
    for (int r = 0; r < size(); r++) {
      total += exchange.packet(r).weight();
    }
    double[] factors = factors(op, total);
    if (small || size() == 1) {
      addAll(layout, factors);
    } else {
      reduceRing(layout, cuts, factors, early);
    }
    finish();
    return new Reduced(total, sums(scalars.length));
  }

  private double[] sums(int count) {
    double[] sums = new double[count];
    for (int r = 0; r < size(); r++) {
      for (int i = 0; i < count; i++) {
        sums[i] += exchange.scalar(r, i);
      }
    }
    return sums;
  }

  private double[] factors(Packet.Op op, double total) {
    double[] factors = new double[size()];
    for (int r = 0; r < size(); r++) {
      double weight = exchange.packet(r).weight();
      factors[r] = op == Packet.Op.ALL_REDUCE_SUM ? 1 : weight == 0 ? 0 : weight / total;
    }
    return factors;
  }

  private long[] cuts(Layout layout) {
    long[] cuts = new long[size() + 1];
    for (int r = 1; r <= size(); r++) {
      // Divided first: a product could overflow for buffers of many gigabytes on many ranks.
      long bytes = layout.bytes();
      cuts[r] = layout.cut(bytes / size() * r + bytes % size() * r / size());
    }
    return cuts;
  }

  /** Adds all contributions in the order of ranks. */
  private void addAll(Layout layout, double[] factors) {
    long bytes = layout.bytes();
    if (bytes == 0) {
      return;
    }
    if (size() == 1) {
      if (factors[0] == 0) {
        zero(layout);
      }
      return;
    }
    if (size() == 2) {
      // a + b is b + a, to the bit.
      int other = 1 - rank;
      stream.combine(layout, 0, bytes, exchange.payload(other), factors[rank], factors[other]);
      return;
    }
    Stream.unpack(layout, 0, bytes, exchange.payload(0));
    for (int r = 1; r < size(); r++) {
      double mine = r == 1 ? factors[0] : 1;
      stream.combine(layout, 0, bytes, exchange.payload(r), mine, factors[r]);
    }
  }

  private static void zero(Layout layout) {
    for (int i = 0; i < layout.count(); i++) {
      ByteBuffer buffer = layout.buffer(i).duplicate();
      byte[] zeros = new byte[4096];
      while (buffer.hasRemaining()) {
        buffer.put(zeros, 0, Math.min(zeros.length, buffer.remaining()));
      }
    }
  }

  /**
   * Segment s starts at rank s and grows by one contribution a hop; after n - 1 hops it is whole
   * and makes another n - 1 hops to reach all. A chunk is sent on as soon as it is added, and a
   * buffer is overwritten only by bytes that were made from what it had sent.
   */
  private void reduceRing(Layout layout, long[] cuts, double[] factors, boolean early) {
    int n = size();
    if (!early) {
      stream.send(layout, cuts[rank], cuts[rank + 1]);
    }
    for (int hop = 1; hop < n; hop++) {
      int segment = ring.before(hop);
      double theirs = hop == 1 ? factors[segment] : 1;
      stream.reduce(layout, cuts[segment], cuts[segment + 1], factors[rank], theirs);
    }
    for (int hop = 0; hop < n - 1; hop++) {
      int segment = ring.before(hop);
      stream.receive(layout, cuts[segment], cuts[segment + 1], hop < n - 2);
    }
  }

  private Object spread(int root, Layout layout) {
    long hash = layout.hash() * 31 + root;
    ByteBuffer unused =
        exchange.begin(packet(Packet.Op.BROADCAST, layout.bytes(), hash, 0, 0, 0), new double[0]);
    exchange.start();
    exchange.complete();
    if (size() > 1) {
      if (rank == root) {
        stream.send(layout, 0, layout.bytes());
      } else {
        stream.receive(layout, 0, layout.bytes(), (rank + 1) % size() != root);
      }
    }
    finish();
    return this;
  }

  private byte[][] gather(byte[] mine) {
    ByteBuffer slot =
        exchange.begin(
            packet(Packet.Op.ALL_GATHER, mine.length, 0, 0, 0, mine.length), new double[0]);
    slot.put(mine);
    exchange.start();
    exchange.complete();
    finish();
    byte[][] all = new byte[size()][];
    for (int r = 0; r < size(); r++) {
      ByteBuffer payload = exchange.payload(r);
      all[r] = new byte[payload.remaining()];
      payload.get(all[r]);
    }
    exchange.trim();
    return all;
  }

  /** Whether the links to the neighbours are open, so that this rank hears when they go. */
  public boolean isConnected() {
    return size() == 1 || ring.isOpen();
  }

  /**
   * Ends the present wait and all later operations at once, with this cause; those of the node's
   * other links as well. From any thread.
   */
  public void abort(Throwable cause) {
    boolean unused =
        failure.compareAndSet(
            null,
            new TfosException(
                CollectiveError.ABORTED, "Rank " + rank + " was told to stop", "", cause));
    transport.abort(cause);
  }

  /** Closes the links; the neighbours notice at once. From any thread. */
  @Override
  public void close() {
    boolean unused =
        failure.compareAndSet(
            null,
            new TfosException(
                CollectiveError.UNUSABLE, "The collective of rank " + rank + " is closed", ""));
    ring.close();
  }
}
