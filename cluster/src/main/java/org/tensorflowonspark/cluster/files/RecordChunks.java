/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.columns.Chunk;
import org.tensorflowonspark.cluster.columns.ChunkBuilder;
import org.tensorflowonspark.cluster.columns.ChunkMemory;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.sql.hadoop.RecordSplit;
import org.tensorflowonspark.sql.rows.BadRecordException;
import org.tensorflowonspark.sql.rows.RowDecoder;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;

/**
 * The chunks of some parts of files, made ahead on a thread of its own until a number of bytes is
 * waiting. {@link #next} is for the program's thread, which also closes it; closing ends the
 * thread.
 */
public final class RecordChunks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RecordChunks.class);
  private static final Duration THREAD_END = Duration.ofSeconds(3);

  private final RecordPlan plan;
  private final List<RecordSplit> splits;
  private final Limits limits;
  private final ChunkMemory memory;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Chunk> queue = new ArrayDeque<>();
  private final Thread thread;
  private long queuedBytes;
  private boolean ended;
  private boolean closed;
  private @Nullable Throwable failure;
  private volatile String doing = "starts";

  /**
   * Sizes and times.
   *
   * @param queueBytes bytes that may wait
   * @param chunkBytes bytes of a chunk
   * @param progressTimeout how long the program waits for a chunk
   */
  public record Limits(long queueBytes, long chunkBytes, Duration progressTimeout) {}

  /** Begins to read. */
  public RecordChunks(
      RecordPlan plan,
      List<RecordSplit> splits,
      Configuration hadoop,
      Limits limits,
      ChunkMemory memory,
      String name) {
    this.plan = plan;
    this.splits = List.copyOf(splits);
    this.limits = limits;
    this.memory = memory;
    this.thread = new Thread(() -> run(hadoop), name);
    thread.setDaemon(true);
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    thread.start();
  }

  /**
   * The next chunk, waiting for it; null behind the last one.
   *
   * @throws TfosException what the reading thread ran into
   */
  public @Nullable Chunk next() throws InterruptedException {
    long left = limits.progressTimeout().toNanos();
    lock.lockInterruptibly();
    try {
      while (true) {
        Chunk chunk = queue.poll();
        if (chunk != null) {
          queuedBytes -= chunk.bytes();
          changed.signalAll();
          return chunk;
        }
        if (failure != null) {
          throw asThrown(failure);
        }
        if (ended) {
          return null;
        }
        if (left <= 0) {
          throw new TfosException(
              ClusterError.NO_PROGRESS,
              "No record came for %d s; the reader %s"
                  .formatted(limits.progressTimeout().toSeconds(), doing),
              "Look at the file system, or raise spark.tfos.progressTimeout.");
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private static RuntimeException asThrown(Throwable failure) {
    if (failure instanceof RuntimeException e) {
      return e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    return failure instanceof IOException e
        ? new UncheckedIOException(e.getMessage(), e)
        : new IllegalStateException(failure);
  }

  /** Whether there may be another chunk; true while that is not known. */
  public boolean maybeMore() {
    lock.lock();
    try {
      return !queue.isEmpty() || !ended || failure != null;
    } finally {
      lock.unlock();
    }
  }

  // The reading thread.

  private void run(Configuration hadoop) {
    try {
      RowDecoder decoder = plan.decoder();
      ChunkBuilder builder =
          ChunkBuilder.of(
              plan.columns(),
              plan.columns().rowsFor(limits.chunkBytes()),
              limits.chunkBytes(),
              memory);
      for (int i = 0; i < splits.size(); i++) {
        builder.source(i, 0, 0);
        read(splits.get(i), hadoop, decoder, builder);
      }
      end(null);
    } catch (Throwable e) { // whatever it is, the program gets it, unless it has closed us
      end(e);
    }
  }

  private void read(
      RecordSplit split, Configuration hadoop, RowDecoder decoder, ChunkBuilder builder)
      throws IOException, InterruptedException {
    TFRecordInput input = plan.input();
    String path = split.file().path();
    long fileHash = Mix.of(path);
    doing = "opens " + path;
    long[] damaged = new long[1];
    ReadOptions options =
        input.skipsDamaged()
            ? input.readOptions().tolerating(damage -> damaged[0]++)
            : input.readOptions();
    try (RecordReader reader = split.open(hadoop, options)) {
      doing = "reads " + path;
      while (reader.next()) {
        if (!input.takes(fileHash, reader.position())) {
          continue;
        }
        try {
          builder.append(decoder.decode(reader.buffer(), reader.offset(), reader.length()));
        } catch (BadRecordException e) {
          if (!input.skipsDamaged()) {
            throw e.at(reader.file(), reader.position());
          }
          damaged[0]++;
        } catch (TfosException e) {
          if (!input.skipsDamaged()) {
            throw new TfosException(
                ClusterError.RECORD_MISFIT,
                "%s at byte %d: %s".formatted(path, reader.position(), e.getMessage()),
                "Correct the file or the feed, or have such records skipped (skipDamaged).",
                e);
          }
          damaged[0]++;
        }
        if (builder.isFull()) {
          put(builder.build());
          doing = "reads " + path;
        }
      }
    }
    if (builder.rows() > 0) {
      put(builder.build());
    }
    if (damaged[0] > 0) {
      LOG.warn(
          "{} damaged or unfit records of {} (bytes {} to {}) were skipped",
          damaged[0],
          path,
          split.start(),
          split.end());
    }
  }

  private void put(Chunk chunk) throws InterruptedException {
    doing = "waits for the program to take records";
    lock.lockInterruptibly();
    try {
      // One chunk always fits, whatever its size, or a huge record could never pass.
      while (!closed && queuedBytes > 0 && queuedBytes + chunk.bytes() > limits.queueBytes()) {
        changed.await(); // ended by the program taking a chunk, or by close
      }
      if (closed) {
        throw new InterruptedException("closed");
      }
      queue.add(chunk);
      queuedBytes += chunk.bytes();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void end(@Nullable Throwable cause) {
    lock.lock();
    try {
      ended = true;
      failure = closed ? null : cause;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      queue.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    thread.interrupt();
    boolean interrupted = false;
    try {
      thread.join(THREAD_END.toMillis());
    } catch (InterruptedException e) {
      interrupted = true;
      joinOnceMore();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (thread.isAlive()) {
      LOG.warn("The reader of TFRecord files does not end although interrupted; it {}", doing);
    }
  }

  /** A program that is stopped is interrupted, and still has to see its reader off. */
  private void joinOnceMore() {
    try {
      thread.join(TimeUnit.SECONDS.toMillis(1));
    } catch (InterruptedException e) {
      LOG.debug("Interrupted twice while closing", e);
    }
  }
}
