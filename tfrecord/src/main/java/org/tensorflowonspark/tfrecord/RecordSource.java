/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.Closeable;
import java.io.IOException;

/** The bytes of one file, wherever it is. Used by one thread; whoever opened it closes it. */
public interface RecordSource extends Closeable {

  /** Path of the file, for messages. */
  String name();

  /** Bytes of the file, as it was when opened. */
  long length() throws IOException;

  /**
   * Reads up to {@code length} bytes from {@code position}. Callers read mostly forwards, in large
   * pieces.
   *
   * @return bytes read, at least 1; -1 at the end of the file
   */
  int read(long position, byte[] target, int offset, int length) throws IOException;
}
