/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.tensorflow.shim.NativeRuntime;

class TensorFlowRuntimeTest {
  @TempDir Path dir;

  @Test
  void itIsLoadedOnceWithoutLimitsOnNativeMemory() {
    TensorFlowRuntime.Loaded loaded = TensorFlowRuntime.load();
    assertThat(loaded.version()).isEqualTo("2.18.0");
    assertThat(loaded.took()).isPositive();
    assertThat(TensorFlowRuntime.load()).isSameAs(loaded);
    assertThat(NativeRuntime.memoryLimit()).isZero();
    assertThat(System.getProperty("org.bytedeco.javacpp.maxphysicalbytes")).isEqualTo("0");
  }

  @Test
  void aHomeThatDoesNotExistHoldsNoCache() {
    assertThat(TensorFlowRuntime.canHoldCache(dir)).isTrue();
    assertThat(TensorFlowRuntime.canHoldCache(dir.resolve("absent"))).isFalse();
  }

  @Test
  void aCacheThatOthersCanWriteIsRefused() throws IOException {
    Path cache = Files.createDirectory(dir.resolve("cache"));
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwx------"));
    TensorFlowRuntime.checkPrivate(cache);
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> TensorFlowRuntime.checkPrivate(cache))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("can be written by another user");
    assertThat(cache).isEmptyDirectory();
  }
}
