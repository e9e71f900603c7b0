/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.tensorflowonspark.cluster.columns.Chunk;

/** How an inference task reaches the node that answers it. Used by one task. */
interface Asker extends AutoCloseable {

  /** Sends rows; the future has one answer for each. */
  Future<List<UnsafeRow>> ask(Chunk chunk);

  /** The node, for errors. */
  String node();

  @Override
  void close();

  /** A node of this JVM if there is one, else one that depends on the partition. */
  static Asker choose(FeedJob job, int partition, int answerFields) {
    String key = FeedJob.clusterKey(job.clusterId(), job.clusterAttempt());
    int readers = job.readers().size();
    for (int i = 0; i < readers; i++) {
      int reader = (partition + i) % readers;
      FeedReceiver receiver = FeedReceiver.local(key, reader);
      if (receiver != null) {
        return new Local(receiver, job.feed());
      }
    }
    return new Remote(job, partition % readers, answerFields);
  }

  /** A node in the same JVM. */
  record Local(FeedReceiver receiver, String feed) implements Asker {
    @Override
    public Future<List<UnsafeRow>> ask(Chunk chunk) {
      Question question = new Question(chunk);
      receiver.questions(feed).ask(question);
      return question.answered();
    }

    @Override
    public String node() {
      return "Node " + receiver.reader();
    }

    @Override
    public void close() {}
  }

  /** A node in another process; one thread waits for its answers. */
  final class Remote implements Asker {
    private final RemoteSink sink;
    private final int reader;
    private final int answerFields;
    private final ExecutorService thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread t = new Thread(task, "tfos-ask");
              t.setDaemon(true);
              return t;
            });

    Remote(FeedJob job, int reader, int answerFields) {
      this.sink = new RemoteSink(job, reader, job.readers().get(reader));
      this.reader = reader;
      this.answerFields = answerFields;
    }

    @Override
    public Future<List<UnsafeRow>> ask(Chunk chunk) {
      return thread.submit(() -> AnswerCodec.decode(sink.ask(chunk), answerFields));
    }

    @Override
    public String node() {
      return "Node " + reader;
    }

    @Override
    public void close() {
      thread.shutdownNow();
      sink.close();
    }
  }
}
