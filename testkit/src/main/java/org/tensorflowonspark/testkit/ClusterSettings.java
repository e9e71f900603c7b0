/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.tensorflowonspark.base.TfosException;

/** Size of a local cluster and the caller's configuration on top of what such a cluster needs. */
record ClusterSettings(int executors, int cores, int memoryMb, Map<String, String> conf) {
  /** Spark refuses an executor whose heap is below 1.5 times its reserved 300 MB. */
  private static final int LEAST_MEMORY_MB = 512;

  private static final String JAVA_OPTIONS = "spark.executor.extraJavaOptions";

  void check() {
    if (executors < 1 || cores < 1 || memoryMb < LEAST_MEMORY_MB) {
      throw new TfosException(
          TestkitError.ILLEGAL_SIZE,
          String.format("Asked for %d executors of %d cores and %d MB", executors, cores, memoryMb),
          "At least 1 executor, 1 core and " + LEAST_MEMORY_MB + " MB are needed.");
    }
  }

  SparkConf toSparkConf(Path temp) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("spark.app.name", "tfos-local-cluster");
    all.put("spark.driver.host", "127.0.0.1");
    all.put("spark.driver.bindAddress", "127.0.0.1");
    all.put("spark.ui.enabled", "false");
    all.put("spark.ui.showConsoleProgress", "false");
    all.put("spark.sql.shuffle.partitions", Integer.toString(executors * cores));
    all.put("spark.sql.warehouse.dir", folder(temp, "warehouse").toUri().toString());
    all.put("spark.local.dir", folder(temp, "local").toString());
    all.put("spark.executor.extraClassPath", classPath());
    all.putAll(conf);
    // A worker has room for exactly one executor of this heap.
    all.put("spark.master", "local-cluster[" + executors + "," + cores + "," + memoryMb + "]");
    all.put("spark.executor.memory", memoryMb + "m");
    all.put(JAVA_OPTIONS, javaOptions(folder(temp, "tmp")));
    SparkConf sparkConf = new SparkConf();
    all.forEach(sparkConf::set);
    return sparkConf;
  }

  private String javaOptions(Path executorTemp) {
    return String.join(
        " ",
        // JavaCPP's own limit is a multiple of the heap and knows nothing of the room there is.
        "-Dorg.bytedeco.javacpp.maxphysicalbytes=0",
        "-Dorg.bytedeco.javacpp.maxbytes=0",
        "-Dlog4j2.configurationFile=" + QuietLogging.RESOURCE,
        "-Djava.io.tmpdir='" + executorTemp + "'",
        "-XX:+IgnoreUnrecognizedVMOptions --sun-misc-unsafe-memory-access=allow",
        conf.getOrDefault(JAVA_OPTIONS, ""));
  }

  private static Path folder(Path temp, String name) {
    try {
      return Files.createDirectories(temp.resolve(name));
    } catch (IOException e) {
      throw Folders.failed("make", temp.resolve(name), e);
    }
  }

  /** Executors start in a folder of their own, so relative entries must not stay relative. */
  private static String classPath() {
    StringBuilder text = new StringBuilder();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!entry.isEmpty()) {
        text.append(text.isEmpty() ? "" : File.pathSeparator);
        text.append(Path.of(entry).toAbsolutePath());
      }
    }
    return text.toString();
  }
}
