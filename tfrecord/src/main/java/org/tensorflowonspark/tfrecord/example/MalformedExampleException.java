/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

/**
 * Bytes are not the message that they should be. Without a stack trace, since in tolerant reading
 * it is no exception; whoever knows file and record turns it into an error for the user.
 */
public final class MalformedExampleException extends Exception {
  private static final long serialVersionUID = 1L;

  private boolean named;

  /** The reason, as part of a sentence, such as {@code feature 'x' has a varint of 11 bytes}. */
  public MalformedExampleException(String reason) {
    super(reason, null, false, false);
  }

  /** The same reason, said of its owner, unless a nearer one is named already. */
  MalformedExampleException in(String owner) {
    if (named) {
      return this;
    }
    MalformedExampleException e = new MalformedExampleException(owner + " has " + getMessage());
    e.named = true;
    return e;
  }
}
