/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.util.TaskCompletionListener;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.columns.ChunkBuilder;
import org.tensorflowonspark.cluster.columns.ChunkMemory;
import org.tensorflowonspark.cluster.config.ClusterError;

/**
 * Sends the rows of one partition to a node and gives each row back with its answer, in order. Runs
 * in a Spark task, on the task's thread; keeps one piece of rows under way while it hands out the
 * answers of the one before.
 */
public final class InferenceTask implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int UNDER_WAY = 2;

  private final FeedJob job;
  private final int batchSize;
  private final int answerFields;

  /** The task of {@code job} for any partition, for a feed opened as {@code spec}. */
  public InferenceTask(FeedJob job, FeedSpec spec) {
    this.job = job;
    this.batchSize = spec.batchSize();
    this.answerFields = spec.answers().size();
  }

  /** The rows of the partition, each joined with its answer; one object that changes. */
  public Iterator<InternalRow> run(int partition, int attempt, Iterator<InternalRow> rows) {
    Asker asker = Asker.choose(job, partition, answerFields);
    TaskContext task = TaskContext.get();
    if (task != null) {
      TaskCompletionListener close = t -> asker.close();
      task.addTaskCompletionListener(close);
    }
    int most = job.plan().rowsFor(job.settings().chunkBytes());
    int chunkRows = Math.max(1, most / batchSize) * batchSize;
    ChunkBuilder builder =
        ChunkBuilder.of(job.plan(), chunkRows, Integer.MAX_VALUE, ChunkMemory.heap())
            .source(partition, attempt, 0);
    return new Answers(rows, builder, asker, job);
  }

  private record Asked(List<InternalRow> rows, Future<List<UnsafeRow>> answers) {}

  private static final class Answers implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final ChunkBuilder builder;
    private final Asker asker;
    private final FeedJob job;
    private final Deque<Asked> underWay = new ArrayDeque<>();
    private final JoinedRow joined = new JoinedRow();
    private List<InternalRow> inputs = List.of();
    private List<UnsafeRow> answers = List.of();
    private int next;

    Answers(Iterator<InternalRow> rows, ChunkBuilder builder, Asker asker, FeedJob job) {
      this.rows = rows;
      this.builder = builder;
      this.asker = asker;
      this.job = job;
    }

    @Override
    public boolean hasNext() {
      while (next == answers.size()) {
        while (underWay.size() < UNDER_WAY && rows.hasNext()) {
          underWay.add(ask());
        }
        Asked asked = underWay.poll();
        if (asked == null) {
          asker.close();
          return false;
        }
        inputs = asked.rows();
        answers = await(asked.answers());
        if (answers.size() != inputs.size()) {
          throw new TfosException(
              ClusterError.ANSWERS_DIFFER,
              inputs.size() + " rows were sent and " + answers.size() + " answers came back",
              "");
        }
        next = 0;
      }
      return true;
    }

    private Asked ask() {
      List<InternalRow> sent = new ArrayList<>();
      while (rows.hasNext() && !builder.isFull()) {
        InternalRow row = rows.next();
        builder.append(row);
        sent.add(row.copy());
      }
      return new Asked(sent, asker.ask(builder.build()));
    }

    private List<UnsafeRow> await(Future<List<UnsafeRow>> future) {
      long timeout = job.settings().progressTimeout().toMillis();
      try {
        return future.get(timeout, TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof TfosException coded) {
          throw coded;
        }
        throw new TfosException(
            ClusterError.FEED_FAILED, "A node could not answer", "See the cause.", e.getCause());
      } catch (TimeoutException e) {
        throw FeedErrors.noProgress(
            job.feed(),
            asker.node(),
            job.settings().progressTimeout(),
            "did not answer the rows that it has");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new org.apache.spark.TaskKilledException("interrupted while waiting for answers");
      }
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      joined.apply(inputs.get(next), answers.get(next));
      next++;
      return joined;
    }
  }
}
