/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * What Spark's launcher wants from the environment of the driver process before it starts an
 * executor. It reads the process environment, which a JVM cannot change, so it is checked early.
 */
record SparkHome(Path path) {
  private static final String REMEDY =
      "Set in the environment of this JVM: SPARK_HOME (any folder, 'jars/' is made in it),"
          + " SPARK_SCALA_VERSION=2.13, SPARK_LOCAL_IP=127.0.0.1. 'bin/tfos' and the Maven build do"
          + " so; an IDE needs it in its run configuration.";

  static SparkHome check(Map<String, String> environment) {
    String home = require(environment, "SPARK_HOME");
    require(environment, "SPARK_SCALA_VERSION");
    String ip = require(environment, "SPARK_LOCAL_IP");
    if (!ip.startsWith("127.") && !ip.equals("localhost")) {
      throw error("SPARK_LOCAL_IP is '" + ip + "', which is not loopback", null);
    }
    try {
      Files.createDirectories(Path.of(home, "jars"));
    } catch (IOException e) {
      throw error("SPARK_HOME is '" + home + "', where 'jars/' cannot be made", e);
    }
    return new SparkHome(Path.of(home).toAbsolutePath());
  }

  /** Where the workers keep the executors' output, one folder for each application. */
  Path workDir() {
    return path.resolve("work");
  }

  private static String require(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value == null || value.isBlank()) {
      throw error("Environment variable " + name + " is not set", null);
    }
    return value;
  }

  private static TfosException error(String what, @Nullable Exception cause) {
    return new TfosException(TestkitError.ENVIRONMENT, what, REMEDY, cause);
  }
}
