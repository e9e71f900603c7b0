/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.util.Locale;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cli.console.ProgressBar;
import org.tensorflowonspark.cli.console.Screen;

/** Spark in this JVM, on all cores, which shows on standard error how far its jobs are. */
final class EmbeddedSpark implements AutoCloseable {
  private final SparkSession session;

  private EmbeddedSpark(SparkSession session) {
    this.session = session;
  }

  static EmbeddedSpark start() {
    SparkSession session =
        SparkSession.builder()
            .master("local[*]")
            .appName("tfos records")
            .config("spark.ui.enabled", false)
            .config("spark.ui.showConsoleProgress", false)
            .getOrCreate();
    session.sparkContext().addSparkListener(new Progress());
    return new EmbeddedSpark(session);
  }

  SparkSession session() {
    return session;
  }

  @Override
  public void close() {
    session.stop();
  }

  /** On the thread of Spark's listeners. A bar for each job: it knows its own tasks only. */
  private static final class Progress extends SparkListener {
    private @Nullable ProgressBar bar;
    private int tasks;
    private int done;

    @Override
    public void onJobStart(SparkListenerJobStart job) {
      tasks = 0;
      job.stageInfos().foreach(stage -> tasks += stage.numTasks());
      done = 0;
      Screen screen = Screen.errors();
      bar =
          new ProgressBar(
              screen,
              ReadingProgress.pace(screen),
              tasks,
              rate -> String.format(Locale.ROOT, "%.1f tasks/s", rate),
              System::nanoTime);
      tell(bar);
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd task) {
      done++;
      if (bar != null) {
        tell(bar);
      }
    }

    @Override
    public void onJobEnd(SparkListenerJobEnd job) {
      if (bar != null) {
        bar.finish();
        bar = null;
      }
    }

    private void tell(ProgressBar current) {
      current.update(done, done + " of " + tasks + " tasks");
    }
  }
}
