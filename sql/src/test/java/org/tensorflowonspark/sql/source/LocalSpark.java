/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FileUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A Spark of two threads in this JVM, for the tests of one class. */
final class LocalSpark implements BeforeAllCallback, AfterAllCallback {
  private SparkSession session;
  private Path warehouse;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    warehouse = Files.createTempDirectory("tfrecord-warehouse");
    session =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.sql.warehouse.dir", warehouse.toString())
            .getOrCreate();
    session.sparkContext().setLogLevel("ERROR");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    session.stop();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    assertThat(FileUtil.fullyDelete(warehouse.toFile())).isTrue();
  }

  SparkSession session() {
    return session;
  }

  Dataset<Row> sql(String text) {
    return session.sql(text);
  }

  /** Everything that has happened so far is told to listeners. */
  void awaitListeners() throws TimeoutException {
    session.sparkContext().listenerBus().waitUntilEmpty(10_000);
    assertThat(session.sparkContext().isStopped()).isFalse();
  }
}
