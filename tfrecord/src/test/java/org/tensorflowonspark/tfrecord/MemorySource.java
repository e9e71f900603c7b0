/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

/** A file in memory, which may give few bytes at a time or claim another length than it has. */
final class MemorySource implements RecordSource {
  private final byte[] bytes;
  private final long claimed;
  private final int most;
  boolean closed;

  /** Bytes given so far. */
  long given;

  MemorySource(byte[] bytes) {
    this(bytes, bytes.length, Integer.MAX_VALUE);
  }

  MemorySource(byte[] bytes, long claimed, int most) {
    this.bytes = bytes;
    this.claimed = claimed;
    this.most = most;
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public long length() {
    return claimed;
  }

  @Override
  public int read(long position, byte[] target, int offset, int length) {
    if (position >= bytes.length) {
      return -1;
    }
    int count = Math.min(Math.min(length, most), bytes.length - (int) position);
    System.arraycopy(bytes, (int) position, target, offset, count);
    given += count;
    return count;
  }

  @Override
  public void close() {
    closed = true;
  }
}
