/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.columns.Chunk;
import org.tensorflowonspark.cluster.feed.FeedRequest.Kind;
import org.tensorflowonspark.cluster.transport.Deadline;
import org.tensorflowonspark.cluster.transport.Membership;
import org.tensorflowonspark.cluster.transport.NodeAddress;
import org.tensorflowonspark.cluster.transport.RequestClient;

/** A node in another process, reached over the data plane at the first need. */
final class RemoteSink implements FeedSink {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  private final FeedJob job;
  private final int reader;
  private final NodeAddress address;
  private @Nullable RequestClient client;

  RemoteSink(FeedJob job, int reader, NodeAddress address) {
    this.job = job;
    this.reader = reader;
    this.address = address;
  }

  @Override
  public int reader() {
    return reader;
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public long open(int partition, int attempt) {
    return value(ask(request(Kind.OPEN, partition, attempt)));
  }

  @Override
  public Answer offer(int partition, int attempt, Chunk chunk, int waitMillis) {
    return answer(
        ask(
            new FeedRequest(
                Kind.OFFER,
                job.feed(),
                job.session(),
                partition,
                attempt,
                waitMillis,
                chunk.toByteBuffer())));
  }

  @Override
  public Answer closePartition(int partition, int attempt) {
    return answer(ask(request(Kind.CLOSE, partition, attempt)));
  }

  @Override
  public long fill() {
    return value(ask(request(Kind.FILL, 0, 0)));
  }

  /** Has rows answered: a node's answers in their flat form. */
  ByteBuffer ask(Chunk chunk) {
    return ask(
        new FeedRequest(Kind.ASK, job.feed(), job.session(), 0, 0, 0, chunk.toByteBuffer()),
        job.settings().progressTimeout());
  }

  private FeedRequest request(Kind kind, int partition, int attempt) {
    return FeedRequest.of(kind, job.feed(), job.session(), partition, attempt);
  }

  private ByteBuffer ask(FeedRequest request) {
    return ask(request, ANSWER_TIMEOUT);
  }

  private ByteBuffer ask(FeedRequest request, Duration timeout) {
    Deadline deadline = Deadline.after(timeout);
    if (client == null) {
      client =
          RequestClient.connect(
              address,
              Membership.guest(job.clusterId(), job.clusterAttempt(), job.secret()),
              job.transport(),
              deadline);
    }
    return client.request(request.encode(), deadline).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static Answer answer(ByteBuffer reply) {
    return Answer.of(reply.get(0));
  }

  private static long value(ByteBuffer reply) {
    return reply.getLong(1);
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
  }
}
