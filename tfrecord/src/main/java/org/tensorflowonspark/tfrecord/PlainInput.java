/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.Closeable;
import java.io.IOException;

/** The plain content of a file from some place on. Closing it leaves the source open. */
interface PlainInput extends Closeable {

  /**
   * Reads up to {@code length} bytes.
   *
   * @return bytes read, at least 1; -1 at the end
   * @throws CorruptStreamException when compressed content is damaged
   */
  int read(byte[] target, int offset, int length) throws IOException;

  @Override
  void close();

  /** An uncompressed file from {@code start} on, as long as it was when opened. */
  static PlainInput raw(RecordSource source, long start, long fileLength) {
    return new PlainInput() {
      private long position = start;

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        int count = (int) Math.min(length, fileLength - position);
        if (count <= 0) {
          return -1;
        }
        int read = source.read(position, target, offset, count);
        position += Math.max(read, 0);
        return read;
      }

      @Override
      public void close() {}
    };
  }
}
