/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.base.TfosException;

/** A process without the native library for its platform. */
class MissingLibraryIT {
  @TempDir Path dir;

  /** What the child runs. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      try {
        TensorFlowRuntime.load();
      } catch (TfosException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void theMessageSaysWhatToPutOnTheClassPath() throws Exception {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(p -> !p.matches(".*tensorflow-core-native-.*-(linux|macosx).*"))
            .collect(Collectors.joining(File.pathSeparator));
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.bytedeco.javacpp.cachedir=" + dir,
                "-cp",
                classPath,
                Child.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), UTF_8);
    assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output)
        .contains("[TFOS-MODEL-001]")
        .contains("tensorflow-core-native with the classifier of this platform")
        .contains(dir.toString());
  }
}
