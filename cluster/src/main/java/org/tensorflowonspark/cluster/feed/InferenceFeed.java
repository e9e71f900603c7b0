/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.columns.AnswerRows;
import org.tensorflowonspark.cluster.columns.ChunkReader;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.cluster.columns.RowPicks;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.control.Activity;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.TensorList;
import org.tensorflowonspark.tensorflow.TensorSpec;

/**
 * The answering end of a feed: gives batches of rows, and takes one answer for each row, which go
 * back to the DataFrame that the rows come from. Used by the program's thread only; the program
 * closes it.
 *
 * <pre>{@code
 * while (feed.next(batch)) {
 *   try (TensorList outputs = model.predict(batch)) {
 *     feed.answer(outputs);
 *   }
 * }
 * }</pre>
 */
public final class InferenceFeed implements AutoCloseable {
  private final String name;
  private final FeedSpec spec;
  private final Questions questions;
  private final Activity activity;
  private final ChunkReader reader;
  private final StructType schema;
  private final UnsafeProjection projection;
  private final RowPicks picks = new RowPicks();
  private @Nullable BatchSink sink;
  private @Nullable Question question;
  private int row;
  private int unanswered;

  InferenceFeed(String name, FeedSpec spec, Questions questions, Activity activity) {
    this.name = name;
    this.spec = spec;
    this.questions = questions;
    this.activity = activity;
    this.reader = new ChunkReader(spec.targets());
    this.schema = AnswerRows.schemaOf(spec.answers());
    this.projection = UnsafeProjection.create(schema);
  }

  /**
   * Fills {@code batch} with the next rows; blocks until there are some.
   *
   * @return false when the driver has ended the feeds
   * @throws TfosException when the last batch was not answered
   */
  public boolean next(Batch batch) throws InterruptedException {
    if (unanswered > 0) {
      throw differs(unanswered, 0);
    }
    Question current = question;
    if (current == null) {
      activity.doing("waits for rows of feed '" + name + "'");
      current = questions.take();
      activity.doing("runs its program");
      if (current == null) {
        batch.setRows(0);
        return false;
      }
      question = current;
      row = 0;
    }
    int count =
        Math.min(Math.min(spec.batchSize(), batch.capacity()), current.chunk().rows() - row);
    picks.clear();
    picks.add(current.chunk(), row, count);
    BatchSink target = sink;
    if (target == null || target.batch() != batch) {
      target = new BatchSink(spec.targets(), batch);
      sink = target;
    }
    reader.fill(picks, target);
    picks.clear();
    batch.setRows(count);
    row += count;
    unanswered = count;
    activity.nextStep();
    return true;
  }

  /**
   * Answers the rows of the last batch, one row of each output for each of them, in order.
   *
   * @param outputs has at least the tensors that the feed was opened with; stays the caller's
   * @throws TfosException when there are more or fewer answers than rows
   */
  public void answer(TensorList outputs) {
    AnswerRows rows = new AnswerRows(outputs);
    if (rows.rows() != unanswered) {
      throw differs(unanswered, rows.rows());
    }
    int[] columns = spec.answers().stream().mapToInt(a -> outputs.indexOf(a.name())).toArray();
    List<UnsafeRow> answers = new ArrayList<>(rows.rows());
    Object[] values = new Object[columns.length];
    var answer = new org.apache.spark.sql.catalyst.expressions.GenericInternalRow(values);
    for (int r = 0; r < rows.rows(); r++) {
      for (int c = 0; c < columns.length; c++) {
        values[c] = rows.value(columns[c], r);
      }
      answers.add(projection.apply(answer).copy());
    }
    unanswered = 0;
    Question current = java.util.Objects.requireNonNull(question);
    current.add(answers);
    if (row == current.chunk().rows()) {
      questions.answered(current);
      question = null;
    }
  }

  private TfosException differs(int rowsGiven, int answers) {
    return new TfosException(
        ClusterError.ANSWERS_DIFFER,
        "Feed '%s' gave %d rows and the program answered %d".formatted(name, rowsGiven, answers),
        "Answer each batch once, with one row of output for each row.");
  }

  /** The columns that the feed reads. */
  public List<ColumnTarget> columns() {
    return spec.targets();
  }

  /** The tensors that it answers with. */
  public List<TensorSpec> answers() {
    return spec.answers();
  }

  @Override
  public void close() {
    questions.end(null);
  }
}
