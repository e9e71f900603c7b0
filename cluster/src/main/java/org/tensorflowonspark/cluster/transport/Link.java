/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.nio.ByteBuffer;

/**
 * A duplex, ordered byte pipe between two ranks, authenticated before it is handed out. On
 * executors.
 *
 * <p>One thread sends and receives; {@link #abort} and {@link #close} may come from any thread and
 * end a wait at once. Both sides may send any amount first: a wait for one direction keeps the
 * other moving. Errors are {@link org.tensorflowonspark.base.TfosException} with a {@link
 * TransportError} that name the peer's rank; after an error the link is of no more use.
 */
public interface Link extends AutoCloseable {

  /** Rank at the other end. */
  int peerRank();

  /** Name that both sides gave the pipe. */
  String channelName();

  /** {@code unix}, {@code tcp} or {@code tcp+encryption}. */
  String transportName();

  /**
   * Starts to send what is between the buffer's position and limit; never blocks. The memory must
   * stay unchanged until {@link #finishSend} has returned, or until the peer's answer proves that
   * it has the bytes. The buffer's own position is not moved.
   */
  void startSend(ByteBuffer data);

  /** Blocks until the buffer is full. Sends what was started meanwhile. */
  void receive(ByteBuffer into, Deadline deadline);

  /**
   * Blocks until everything started has left this process. What arrives meanwhile is kept for the
   * next {@link #receive}.
   */
  void finishSend(Deadline deadline);

  /**
   * From now on, while this link waits to receive, what was started on {@code other} is sent too:
   * for a ring, where a rank receives from one neighbour and sends to another. Both belong to the
   * same thread.
   */
  void drive(Link other);

  /** Ends every present and later wait with this cause. The first cause is kept. */
  void abort(Throwable cause);

  /** Closes the connection; the peer notices at once. What was not yet sent is dropped. */
  @Override
  void close();
}
