/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;

/** A Spark session in this process, with a Hadoop configuration of the test. */
public final class LocalSpark {
  private LocalSpark() {}

  /** Two cores; the caller stops it. */
  public static SparkSession start(Configuration hadoop) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .appName("tfrecord")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", 2);
    Configuration defaults = new Configuration();
    for (Map.Entry<String, String> entry : hadoop) {
      if (!entry.getValue().equals(defaults.getRaw(entry.getKey()))) {
        builder.config("spark.hadoop." + entry.getKey(), entry.getValue());
      }
    }
    return builder.getOrCreate();
  }
}
