/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.columns.Chunk;
import org.tensorflowonspark.cluster.columns.ChunkMemory;
import org.tensorflowonspark.cluster.control.Event;

/**
 * One node's end of all feeds: takes chunks from feed tasks and keeps the sessions that the driver
 * announced. Any thread; closed by the node.
 */
public final class FeedReceiver implements AutoCloseable {
  /** Nodes of this JVM, so that a feed task beside a node needs no socket. */
  private static final Map<String, FeedReceiver> LOCAL = new ConcurrentHashMap<>();

  private static final long SESSION_WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final String key;
  private final int reader;
  private final int readers;
  private final FeedSettings settings;
  private final ChunkMemory chunkMemory;
  private final Map<String, List<FeedSession>> sessions = new HashMap<>();
  private final Map<String, Questions> questions = new HashMap<>();

  /** Feeds that the program has closed, each with the way to tell the driver. */
  private final Map<String, IntConsumer> unread = new HashMap<>();

  private boolean noMore;
  private boolean ended;
  private boolean closed;
  private @Nullable Throwable aborted;

  /** What feeds tell the driver. */
  public interface Driver {
    /** The program reads {@code feed} from now on. */
    void opened(String feed, byte[] spec);

    /** The program is done with a session; {@code complete} when it saw all of it. */
    void done(String feed, int session, long rows, boolean complete);
  }

  /**
   * The receiver of one node, found by feed tasks of this JVM from now on.
   *
   * @param clusterKey names cluster and attempt
   * @param reader index of the node among those that feeds go to
   */
  public FeedReceiver(String clusterKey, int reader, int readers, FeedSettings settings) {
    this.key = key(clusterKey, reader);
    this.reader = reader;
    this.readers = readers;
    this.settings = settings;
    this.chunkMemory = ChunkMemory.recycling(settings.queueBytes());
    LOCAL.put(key, this);
  }

  private static String key(String clusterKey, int reader) {
    return clusterKey + "/" + reader;
  }

  static @Nullable FeedReceiver local(String clusterKey, int reader) {
    return LOCAL.get(key(clusterKey, reader));
  }

  /** Memory of chunks that were read, for the next ones. */
  ChunkMemory chunkMemory() {
    return chunkMemory;
  }

  FeedSettings settings() {
    return settings;
  }

  int reader() {
    return reader;
  }

  /** Takes notice of what the driver says. */
  public void on(Event event) {
    note(event);
    if (event instanceof Event.FeedStarted e) {
      tellUnread(e.feed());
    }
  }

  private synchronized void note(Event event) {
    if (event instanceof Event.FeedStarted e) {
      FeedSession session = new FeedSession(e, reader, readers, settings);
      if (ended) {
        session.end();
      }
      if (aborted != null) {
        session.abort(aborted);
      }
      sessions.computeIfAbsent(e.feed(), f -> new ArrayList<>()).add(session);
    } else if (event instanceof Event.FeedComplete e) {
      for (FeedSession session : of(e.feed())) {
        if (session.started().session() == e.session()) {
          session.completed();
        }
      }
    } else if (event instanceof Event.NoMoreFeeds) {
      noMore = true;
      questions.values().forEach(Questions::noMore);
    }
    notifyAll();
  }

  /** The program reads {@code feed} from now on; returns how many sessions are over for it. */
  synchronized int opened(String feed) {
    unread.remove(feed);
    return (int) of(feed).stream().takeWhile(FeedSession::isEnded).count();
  }

  /** The program closed {@code feed}: sessions of rows that it did not read are told of. */
  void unread(String feed, IntConsumer teller) {
    synchronized (this) {
      unread.put(feed, teller);
    }
    tellUnread(feed);
  }

  private void tellUnread(String feed) {
    IntConsumer teller;
    List<FeedSession> skipped;
    synchronized (this) {
      teller = unread.get(feed);
      if (teller == null) {
        return;
      }
      skipped = of(feed).stream().filter(s -> !s.isEnded() && !s.started().loaded()).toList();
      skipped.forEach(FeedSession::end);
    }
    // Not under the lock: this waits for the driver.
    skipped.forEach(s -> teller.accept(s.started().session()));
  }

  private List<FeedSession> of(String feed) {
    return sessions.getOrDefault(feed, List.of());
  }

  /** Whether the driver has announced session {@code index} of {@code feed}. */
  synchronized boolean isKnown(String feed, int index) {
    return index < of(feed).size();
  }

  /** The session of {@code feed} after {@code index} others; null when there will be none. */
  synchronized @Nullable FeedSession await(String feed, int index) throws InterruptedException {
    while (true) {
      if (aborted != null) {
        throw FeedErrors.aborted(feed, aborted);
      }
      List<FeedSession> known = of(feed);
      if (index < known.size()) {
        return known.get(index);
      }
      if (noMore) {
        return null;
      }
      wait(); // ended by the driver's next event, or by abort() when the driver is gone
    }
  }

  /** The session with this number; a task may know of it a moment before its node does. */
  private synchronized FeedSession find(String feed, int number) throws InterruptedException {
    long end = System.nanoTime() + SESSION_WAIT_NANOS;
    while (true) {
      if (closed) {
        throw FeedErrors.aborted(feed, aborted);
      }
      for (FeedSession session : of(feed)) {
        if (session.started().session() == number) {
          return session;
        }
      }
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw new IllegalStateException(
            "Node " + reader + " knows no session " + number + " of feed '" + feed + "'");
      }
      wait(left);
    }
  }

  long open(String feed, int session, int partition, int attempt) throws InterruptedException {
    return find(feed, session).open(partition, attempt);
  }

  Answer offer(String feed, int session, int partition, int attempt, Chunk chunk, long waitNanos)
      throws InterruptedException {
    return find(feed, session).offer(partition, attempt, chunk, waitNanos);
  }

  Answer closePartition(String feed, int session, int partition, int attempt)
      throws InterruptedException {
    return find(feed, session).closePartition(partition, attempt);
  }

  long fill(String feed, int session) throws InterruptedException {
    return find(feed, session).fill();
  }

  /** Answers a request that came over the data plane. */
  public ByteBuffer handle(ByteBuffer message) throws InterruptedException {
    FeedRequest request = FeedRequest.decode(message);
    if (request.kind() == FeedRequest.Kind.ASK) {
      return answer(request);
    }
    FeedSession session = find(request.feed(), request.session());
    return switch (request.kind()) {
      case OPEN ->
          FeedRequest.answer(Answer.ACCEPTED, session.open(request.partition(), request.attempt()));
      case OFFER ->
          FeedRequest.answer(
              session.offer(
                  request.partition(),
                  request.attempt(),
                  Chunk.fromByteBuffer(request.payload()),
                  TimeUnit.MILLISECONDS.toNanos(request.waitMillis())),
              0);
      case CLOSE ->
          FeedRequest.answer(session.closePartition(request.partition(), request.attempt()), 0);
      case FILL -> FeedRequest.answer(Answer.ACCEPTED, session.fill());
      case ASK -> throw new IllegalStateException("answered before");
    };
  }

  private ByteBuffer answer(FeedRequest request) throws InterruptedException {
    Question question = new Question(Chunk.fromByteBuffer(request.payload()));
    questions(request.feed()).ask(question);
    try {
      return AnswerCodec.encode(question.answered().get());
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(String.valueOf(cause.getMessage()), cause);
    }
  }

  /** The questions of a feed, from tasks to its program. */
  synchronized Questions questions(String feed) {
    return questions.computeIfAbsent(
        feed,
        f -> {
          Questions fresh = new Questions(f);
          Throwable cause = aborted;
          if (ended || cause != null) {
            fresh.end(cause);
          } else if (noMore) {
            fresh.noMore();
          }
          return fresh;
        });
  }

  /** The program reads nothing more, of any feed: whoever still sends is told so. */
  public synchronized void end() {
    ended = true;
    sessions.values().forEach(list -> list.forEach(FeedSession::end));
    questions.values().forEach(q -> q.end(null));
    notifyAll();
  }

  /** Ends every wait with {@code cause}. */
  public synchronized void abort(Throwable cause) {
    aborted = cause;
    sessions.values().forEach(list -> list.forEach(session -> session.abort(cause)));
    questions.values().forEach(q -> q.end(cause));
    notifyAll();
  }

  @Override
  public synchronized void close() {
    LOCAL.remove(key, this);
    ended = true;
    closed = true;
    sessions.values().forEach(list -> list.forEach(FeedSession::close));
    questions.values().forEach(q -> q.end(null));
    sessions.clear();
    notifyAll();
  }
}
