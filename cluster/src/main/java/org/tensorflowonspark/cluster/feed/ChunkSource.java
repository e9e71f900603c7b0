/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.columns.Chunk;

/** The chunks of one epoch on one node, one after the other. Used by the program's thread. */
interface ChunkSource {

  /** The next chunk, waiting for it; null when the epoch has no more on this node. */
  @Nullable Chunk next() throws InterruptedException;

  /** Whether there may be another one; true while that is not known. */
  boolean maybeMore();

  /** Whether whoever has read a chunk may give its memory back. */
  boolean isReadOnce();

  /** The first epoch: chunks as feed tasks hand them over. */
  static ChunkSource live(FeedSession session) {
    return new ChunkSource() {
      @Override
      public @Nullable Chunk next() throws InterruptedException {
        return session.take();
      }

      @Override
      public boolean maybeMore() {
        return session.maybeMore();
      }

      @Override
      public boolean isReadOnce() {
        return !session.keeps();
      }
    };
  }

  /** A later epoch: the chunks that the node kept, in the same order or shuffled. */
  static ChunkSource kept(FeedSession session, @Nullable Random shuffle) {
    List<FeedSession.Item> items = new ArrayList<>(session.kept());
    if (shuffle != null) {
      Collections.shuffle(items, shuffle);
    }
    return new ChunkSource() {
      private int position;

      @Override
      public @Nullable Chunk next() {
        return position < items.size() ? session.load(items.get(position++)) : null;
      }

      @Override
      public boolean maybeMore() {
        return position < items.size();
      }

      @Override
      public boolean isReadOnce() {
        return false;
      }
    };
  }
}
