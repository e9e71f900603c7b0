/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Shows how far training is: a bar that is redrawn in place on a terminal, a whole line now and
 * then elsewhere. May be told from any thread.
 */
final class ProgressBar {
  private static final int BAR = 24;
  private static final Duration REDRAW = Duration.ofMillis(100);
  private static final Duration LINE = Duration.ofSeconds(3);

  private final PrintStream out;
  private final boolean terminal;
  private final int width;
  private final long totalRows;
  private final LongSupplier nanos;

  private long firstAt;
  private long firstRows = -1;
  private long shownAt;
  private String lastText = "";
  private int drawn;

  /**
   * @param width columns of the terminal
   * @param totalRows rows of all epochs together
   * @param nanos the clock, as {@link System#nanoTime}
   */
  ProgressBar(PrintStream out, boolean terminal, int width, long totalRows, LongSupplier nanos) {
    this.out = out;
    this.terminal = terminal;
    this.width = width;
    this.totalRows = totalRows;
    this.nanos = nanos;
  }

  /** Takes the state after a step and shows it when it is time. */
  synchronized void update(TrainingProgress progress) {
    long now = nanos.getAsLong();
    boolean first = firstRows < 0;
    if (first) {
      // Rates count from here: what came before was the start of TensorFlow, not training.
      firstRows = progress.rows();
      firstAt = now;
    }
    lastText = text(progress, now);
    long pause = (terminal ? REDRAW : LINE).toNanos();
    if (first || now - shownAt >= pause) {
      shownAt = now;
      show(lastText);
    }
  }

  /** Shows the last state and ends the line. */
  synchronized void finish() {
    if (!lastText.isEmpty()) {
      show(lastText);
      if (terminal) {
        out.println();
      }
      out.flush();
      lastText = "";
    }
  }

  private void show(String text) {
    if (terminal) {
      // The last column stays free: a full line would wrap and could not be redrawn.
      String cut = text.length() < width ? text : text.substring(0, Math.max(0, width - 1));
      out.print("\r" + cut + " ".repeat(Math.max(0, drawn - cut.length())));
      drawn = cut.length();
    } else {
      out.println(text);
    }
    out.flush();
  }

  private String text(TrainingProgress progress, long now) {
    double done = totalRows <= 0 ? 0 : Math.min(1, (double) progress.rows() / totalRows);
    double seconds = (now - firstAt) / 1e9;
    double rate = seconds <= 0 ? 0 : (progress.rows() - firstRows) / seconds;
    StringBuilder text = new StringBuilder();
    if (terminal) {
      int filled = (int) Math.round(done * BAR);
      text.append('[').append("#".repeat(filled)).append(".".repeat(BAR - filled)).append("] ");
    }
    text.append(
        String.format(
            Locale.ROOT,
            "%3.0f %%  step %d  loss %.4f  accuracy %.4f",
            done * 100,
            progress.step(),
            progress.loss(),
            progress.accuracy()));
    if (rate > 0) {
      text.append(String.format(Locale.ROOT, "  %,.0f rows/s", rate));
      text.append("  ").append(time((totalRows - progress.rows()) / rate)).append(" left");
    }
    return text.toString();
  }

  private static String time(double seconds) {
    long whole = Math.max(0, Math.round(seconds));
    return whole < 60
        ? whole + " s"
        : whole < 3600
            ? String.format(Locale.ROOT, "%d:%02d min", whole / 60, whole % 60)
            : String.format(Locale.ROOT, "%d:%02d h", whole / 3600, whole / 60 % 60);
  }
}
