/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;

/** The questions of one feed that its program has not answered yet. Any thread. */
final class Questions {
  private final String feed;
  private final Deque<Question> waiting = new ArrayDeque<>();
  private final Set<Question> open = new HashSet<>();
  private boolean noMore;
  private @Nullable Throwable ended;

  Questions(String feed) {
    this.feed = feed;
  }

  synchronized void ask(Question question) {
    Throwable cause = ended;
    if (cause != null) {
      question.fail(cause);
      return;
    }
    open.add(question);
    waiting.add(question);
    notifyAll();
  }

  /** The next question, waiting for it; null when the driver has ended the feeds. */
  synchronized @Nullable Question take() throws InterruptedException {
    while (true) {
      Question question = waiting.poll();
      if (question != null) {
        return question;
      }
      Throwable cause = ended;
      if (cause != null) {
        throw FeedErrors.aborted(feed, cause);
      }
      if (noMore) {
        return null;
      }
      wait(); // ended by a question, the driver's end of feeds, or end() when the node goes
    }
  }

  synchronized void answered(Question question) {
    open.remove(question);
  }

  synchronized void noMore() {
    noMore = true;
    notifyAll();
  }

  /** Nobody answers any more: fails what is open and all that still comes. */
  synchronized void end(@Nullable Throwable cause) {
    if (ended == null) {
      ended =
          new TfosException(
              ClusterError.ANSWERS_DIFFER,
              "The program ended before it answered the rows of feed '" + feed + "'",
              "Let it answer every batch until next() returns false.",
              cause);
    }
    Throwable reason = ended;
    open.forEach(question -> question.fail(reason));
    open.clear();
    waiting.clear();
    notifyAll();
  }
}
