/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.time.Duration;
import org.tensorflowonspark.cli.console.ProgressBar;
import org.tensorflowonspark.cli.console.Screen;
import org.tensorflowonspark.sql.hadoop.RecordFile;
import org.tensorflowonspark.sql.hadoop.RecordFiles;
import org.tensorflowonspark.tfrecord.Compression;

/**
 * How much of some files is read, on standard error: a bar when that is a terminal and the work
 * takes a second, else lines when it takes longer. Asked for every record, so it is quick.
 */
final class ReadingProgress implements AutoCloseable {
  private static final long STEP = 1 << 20;

  private final ProgressBar bar;
  private final int files;
  private int filesDone;
  private long bytesDone;
  private long told;

  private ReadingProgress(ProgressBar bar, int files) {
    this.bar = bar;
    this.files = files;
    tell(0);
  }

  static ReadingProgress of(RecordFiles files) {
    return new ReadingProgress(bar(files.bytes()), files.files().size());
  }

  private static ProgressBar bar(long bytes) {
    Screen screen = Screen.errors();
    return new ProgressBar(
        screen, pace(screen), bytes, rate -> Sizes.text((long) rate) + "/s", System::nanoTime);
  }

  /** On a terminal soon; elsewhere, as in a log, seldom. */
  static ProgressBar.Pace pace(Screen screen) {
    return screen.terminal()
        ? new ProgressBar.Pace(Duration.ofSeconds(1), Duration.ZERO)
        : new ProgressBar.Pace(Duration.ofSeconds(10), Duration.ofSeconds(10));
  }

  /** {@code file} is read up to {@code position}. */
  void at(RecordFile file, long position) {
    // Positions in a compressed file count plain bytes: how far it is is known at its end only.
    long now = bytesDone + (file.compression() == Compression.NONE ? position : 0);
    if (now - told >= STEP) {
      tell(now);
    }
  }

  /** {@code file} is through. */
  void done(RecordFile file) {
    filesDone++;
    bytesDone += file.length();
    tell(bytesDone);
  }

  /** Makes room on a terminal for a line of output. */
  void clear() {
    bar.clear();
  }

  private void tell(long bytes) {
    told = bytes;
    bar.update(bytes, filesDone + " of " + files + " files");
  }

  @Override
  public void close() {
    bar.finish();
  }
}
