/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparkHomeTest {

  @Test
  void makesTheJarsFolder(@TempDir Path temp) {
    SparkHome home = SparkHome.check(environment(temp.resolve("home")));
    assertThat(temp.resolve("home/jars")).isDirectory();
    assertThat(home.workDir()).isEqualTo(temp.resolve("home/work"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SPARK_HOME", "SPARK_SCALA_VERSION", "SPARK_LOCAL_IP"})
  void saysWhatToSet(String missing, @TempDir Path temp) {
    Map<String, String> environment = environment(temp);
    environment.remove(missing);
    assertThatThrownBy(() -> SparkHome.check(environment))
        .hasMessageStartingWith("[TFOS-TESTKIT-001] Environment variable " + missing)
        .hasMessageContaining("SPARK_LOCAL_IP=127.0.0.1");
  }

  @Test
  void refusesToListenOnTheNetwork(@TempDir Path temp) {
    Map<String, String> environment = environment(temp);
    environment.put("SPARK_LOCAL_IP", "10.0.0.1");
    assertThatThrownBy(() -> SparkHome.check(environment)).hasMessageContaining("not loopback");
  }

  private static Map<String, String> environment(Path home) {
    Map<String, String> environment = new HashMap<>();
    environment.put("SPARK_HOME", home.toString());
    environment.put("SPARK_SCALA_VERSION", "2.13");
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    return environment;
  }
}
