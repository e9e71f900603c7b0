/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.IOException;
import java.util.function.LongConsumer;

/** Walks whole files and tells of everything in them that is damaged. One thread, blocking. */
public final class RecordVerifier {
  /** What gets every sound record; the reader's buffer is valid during the call only. */
  @FunctionalInterface
  public interface RecordConsumer {

    /** Looks at the record that {@code reader} stands at. */
    void accept(RecordReader reader) throws IOException;
  }

  /** Bytes between two calls of the progress. */
  private static final long PROGRESS_STEP = 1 << 20;

  private RecordVerifier() {}

  /**
   * What a file has.
   *
   * @param records sound records
   * @param bytes their bytes, without frames
   * @param damages stretches that are damaged
   */
  public record Result(long records, long bytes, long damages) {}

  /**
   * Reads a file to its end and closes it.
   *
   * @param options how; its listener is not asked
   * @param listener hears of every damage
   * @param consumer gets every sound record
   * @param progress hears now and then how far the reader is in the plain content
   */
  public static Result verify(
      RecordSource source,
      ReadOptions options,
      DamageListener listener,
      RecordConsumer consumer,
      LongConsumer progress)
      throws IOException {
    long[] damages = new long[1];
    DamageListener counting =
        damage -> {
          damages[0]++;
          listener.onDamage(damage);
        };
    long records = 0;
    long bytes = 0;
    long told = 0;
    try (RecordReader reader = RecordReader.open(source, options.tolerating(counting))) {
      while (reader.next()) {
        records++;
        bytes += reader.length();
        consumer.accept(reader);
        if (reader.position() - told >= PROGRESS_STEP) {
          told = reader.position();
          progress.accept(told);
        }
      }
    }
    return new Result(records, bytes, damages[0]);
  }
}
