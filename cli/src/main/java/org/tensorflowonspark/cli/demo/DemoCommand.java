/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cli.console.CliError;
import org.tensorflowonspark.cli.console.Screen;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tfos demo}. Paths that are not given lie in the repository, at {@code tfos.root}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    exitCodeOnInvalidInput = 2,
    exitCodeOnExecutionException = 1,
    sortOptions = false,
    description =
        "Trains on MNIST images with a cluster on this machine, and predicts with the model.",
    footer = {
      "",
      "Examples:",
      "  tfos demo                                   the sample that ships with the project",
      "  tfos demo --data ~/mnist --epochs 5         the full set, for longer",
      "  tfos demo --workers 4 --export-dir ./model  four nodes, model into a place of yours"
    })
public final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Folder of the four IDX files, plain or gzip (default: the sample, 12,000 images).")
  private @Nullable Path data;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "2",
      description = "Nodes that train together (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--executors",
      paramLabel = "N",
      description = "Executor processes that the nodes live in (default: one for each node).")
  private @Nullable Integer executors;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      defaultValue = "2",
      description = "Times that every image is seen (default: ${DEFAULT-VALUE}).")
  private int epochs;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "32",
      description = "Images for a step on each node (default: ${DEFAULT-VALUE}).")
  private int batchSize;

  @Option(
      names = "--model",
      paramLabel = "DIR",
      description = "Trainable SavedModel (default: the convolutional network of the examples).")
  private @Nullable String model;

  @Option(
      names = "--export-dir",
      paramLabel = "DIR",
      description = "New or empty folder for the trained model (default: target/demo-model).")
  private @Nullable String exportDir;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "7",
      description = "The same seed gives the same model (default: ${DEFAULT-VALUE}).")
  private long seed;

  private final DemoJob job;

  /** For picocli. */
  public DemoCommand() {
    this(new TrainerJob());
  }

  @SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before call()
  DemoCommand(DemoJob job) {
    this.job = job;
  }

  @Override
  public Integer call() {
    DemoSettings settings = settings();
    checkPaths(settings);
    if (exportDir == null) {
      Folders.delete(Path.of(settings.exportDir())); // of the run before, in a place of ours
    }
    new Demo(job, settings, Screen.standard()).run();
    return 0;
  }

  DemoSettings settings() {
    atLeastOne("--workers", workers);
    atLeastOne("--epochs", epochs);
    atLeastOne("--batch-size", batchSize);
    int processes = executors == null ? workers : executors;
    atLeastOne("--executors", processes);
    return new DemoSettings(
        data == null ? root().resolve("examples/data/mnist") : data,
        workers,
        processes,
        epochs,
        batchSize,
        model == null ? root().resolve("examples/models/mnist-cnn").toString() : model,
        exportDir == null ? root().resolve("target/demo-model").toString() : exportDir,
        seed);
  }

  /** Everything that can be known to be wrong before a cluster is started. */
  private void checkPaths(DemoSettings settings) {
    if (isLocal(settings.model())
        && !Files.isRegularFile(Path.of(settings.model(), "saved_model.pb"))) {
      throw new TfosException(
          CliError.MODEL_MISSING,
          "No saved_model.pb in '" + settings.model() + "'",
          "Give --model the folder of a trainable SavedModel.");
    }
    if (exportDir != null && isLocal(exportDir) && !Folders.isNewOrEmpty(Path.of(exportDir))) {
      throw new TfosException(
          CliError.EXPORT_EXISTS,
          "'" + exportDir + "' is there and not empty",
          "Give --export-dir another folder, or remove this one.");
    }
  }

  private void atLeastOne(String option, int value) {
    if (value < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "Invalid value for option '" + option + "': " + value + " is below 1");
    }
  }

  private static boolean isLocal(String path) {
    return !path.contains(":/");
  }

  private static Path root() {
    return Path.of(System.getProperty("tfos.root", "."));
  }
}
