/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflowonspark.cli.console.Screen;

/** The whole demo as users run it: real images, real training, the exported model. */
class DemoRunIT {
  private static final Path ROOT = Path.of(System.getProperty("tfos.root"));

  @Test
  void theDemoReachesItsAccuracyAndRepeatsIt(@TempDir Path exports) {
    ConfusionTable once = demo(exports.resolve("once"));
    ConfusionTable again = demo(exports.resolve("again"));

    assertThat(once.total()).isEqualTo(2000);
    assertThat(once.accuracy()).isGreaterThanOrEqualTo(0.95);
    assertThat(again.render()).isEqualTo(once.render());
    assertThat(exports.resolve("once/saved_model.pb")).exists();
  }

  private static ConfusionTable demo(Path export) {
    Path data = ROOT.resolve("examples/data/mnist");
    String model = ROOT.resolve("examples/models/mnist-cnn").toString();
    DemoSettings settings = new DemoSettings(data, 2, 2, 2, 32, model, export.toString(), 7);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Screen screen = new Screen(new PrintStream(out, true, UTF_8), false, 80);
    return new Demo(new TrainerJob(), settings, screen).run();
  }
}
