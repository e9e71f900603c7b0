/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.tensorflowonspark.cluster.columns.Chunk;

/**
 * Rows that a task wants answered, one answer for each, in order. Answered by the program's thread;
 * the task waits on the future.
 */
final class Question {
  private final Chunk chunk;
  private final List<UnsafeRow> answers;
  private final CompletableFuture<List<UnsafeRow>> answered = new CompletableFuture<>();

  Question(Chunk chunk) {
    this.chunk = chunk;
    this.answers = new ArrayList<>(chunk.rows());
  }

  Chunk chunk() {
    return chunk;
  }

  CompletableFuture<List<UnsafeRow>> answered() {
    return answered;
  }

  /** Adds answers; completes the question with the last one. */
  void add(List<UnsafeRow> more) {
    answers.addAll(more);
    if (answers.size() == chunk.rows()) {
      answered.complete(answers);
    }
  }

  void fail(Throwable cause) {
    answered.completeExceptionally(cause);
  }
}
