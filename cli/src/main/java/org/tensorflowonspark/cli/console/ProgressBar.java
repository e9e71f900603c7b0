/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.console;

import java.time.Duration;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.LongSupplier;

/**
 * Shows how far long work is: a bar that is redrawn in place on a terminal, a whole line now and
 * then elsewhere. May be told from any thread.
 */
public final class ProgressBar {
  private static final int BAR = 24;
  private static final Duration REDRAW = Duration.ofMillis(100);

  private final Screen screen;
  private final Pace pace;
  private final long total;
  private final DoubleFunction<String> rate;
  private final LongSupplier nanos;

  private long firstAt;
  private long firstDone = -1;
  private long shownAt;
  private boolean shown;
  private String shownText = "";
  private String lastText = "";
  private int drawn;

  /**
   * When something is shown.
   *
   * @param quiet nothing is, before this time has passed
   * @param line between two lines, where there is no terminal
   */
  public record Pace(Duration quiet, Duration line) {}

  /**
   * A bar that has shown nothing yet.
   *
   * @param total all that there is to do
   * @param rate what so many a second are called, such as {@code 1,000 rows/s}
   * @param nanos the clock, as {@link System#nanoTime}
   */
  public ProgressBar(
      Screen screen, Pace pace, long total, DoubleFunction<String> rate, LongSupplier nanos) {
    this.screen = screen;
    this.pace = pace;
    this.total = total;
    this.rate = rate;
    this.nanos = nanos;
  }

  /** Takes how much is done, and in words what the figures are, and shows it when it is time. */
  public synchronized void update(long done, String words) {
    long now = nanos.getAsLong();
    if (firstDone < 0) {
      // Rates count from here: what came before was the start of the work, not the work.
      firstDone = done;
      firstAt = now;
    }
    lastText = text(done, words, now);
    Duration pause = screen.terminal() ? REDRAW : pace.line();
    boolean due =
        shown ? now - shownAt >= pause.toNanos() : now - firstAt >= pace.quiet().toNanos();
    if (due) {
      shown = true;
      shownAt = now;
      show(lastText);
    }
  }

  /** Wipes the bar from a terminal, so that other text can take its line; it comes back later. */
  public synchronized void clear() {
    if (drawn > 0) {
      screen.out().print("\r" + " ".repeat(drawn) + "\r");
      screen.out().flush();
      drawn = 0;
    }
  }

  /** Shows the last state, unless the work was too short to show any, and ends the line. */
  public synchronized void finish() {
    if (shown && !lastText.isEmpty()) {
      show(lastText);
      if (screen.terminal()) {
        screen.out().println();
      }
      screen.out().flush();
    }
    lastText = "";
  }

  private void show(String text) {
    if (screen.terminal()) {
      // The last column stays free: a full line would wrap and could not be redrawn.
      String cut =
          text.length() < screen.width()
              ? text
              : text.substring(0, Math.max(0, screen.width() - 1));
      screen.out().print("\r" + cut + " ".repeat(Math.max(0, drawn - cut.length())));
      drawn = cut.length();
    } else if (!text.equals(shownText)) {
      screen.out().println(text);
    }
    shownText = text;
    screen.out().flush();
  }

  private String text(long done, String words, long now) {
    double part = total <= 0 ? 0 : Math.min(1, (double) done / total);
    double seconds = (now - firstAt) / 1e9;
    double perSecond = seconds <= 0 ? 0 : (done - firstDone) / seconds;
    StringBuilder text = new StringBuilder();
    if (screen.terminal()) {
      int filled = (int) Math.round(part * BAR);
      text.append('[').append("#".repeat(filled)).append(".".repeat(BAR - filled)).append("] ");
    }
    text.append(String.format(Locale.ROOT, "%3.0f %%  %s", part * 100, words));
    if (perSecond > 0) {
      text.append("  ").append(rate.apply(perSecond));
      text.append("  ").append(time((total - done) / perSecond)).append(" left");
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
