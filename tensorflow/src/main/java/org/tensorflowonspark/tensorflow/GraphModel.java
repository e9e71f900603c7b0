/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.tensorflow.Graph;
import org.tensorflow.Session;
import org.tensorflow.op.Ops;
import org.tensorflow.proto.ConfigProto;
import org.tensorflowonspark.base.TfosException;

/**
 * A model whose graph is built in Java, to be trained like one from Python. It is written as a
 * trainable SavedModel, so that it can be sent to other nodes, trained, exported and served by
 * everything that takes one. Operations are limited to those with a gradient in C++; others are
 * named, with a way out.
 *
 * <pre>{@code
 * GraphModel line = GraphModel.of((tf, parts) -> {
 *   var x = parts.input("x", TFloat32.class);
 *   var y = parts.label("y", TFloat32.class);
 *   var w = parts.variable("w", tf.constant(0f));
 *   var prediction = tf.math.mul(x, w);
 *   parts.output("prediction", prediction);
 *   parts.loss(tf.math.squaredDifference(prediction, y));
 *   parts.optimizer(graph -> new Adam(graph, 0.01f));
 * });
 * try (TrainableModel model = line.open(ModelOptions.defaults())) { .. }
 * }</pre>
 *
 * Immutable; safe on any thread, on the driver and on executors. Calls block.
 */
public final class GraphModel {
  private final Definition definition;

  private GraphModel(Definition definition) {
    this.definition = definition;
  }

  /** Builds a graph. Called each time the model is written or opened, on the calling thread. */
  @FunctionalInterface
  public interface Definition {
    /**
     * Adds operations and says what they are.
     *
     * @param tf adds operations to the graph
     * @param parts names inputs, labels, variables, loss, metrics, outputs and the optimizer
     */
    void build(Ops tf, GraphParts parts);
  }

  /** A model by its definition, which is not run yet. */
  public static GraphModel of(Definition definition) {
    return new GraphModel(definition);
  }

  /**
   * Writes the model with its initial variables as a trainable SavedModel.
   *
   * @param directory does not exist or is empty; appears complete or not at all
   * @throws TfosException {@link ModelError#NO_GRADIENT}, {@link ModelError#BAD_GRAPH}, {@link
   *     ModelError#TARGET_EXISTS}, {@link ModelError#WRITE_FAILED}
   */
  public void export(Path directory) {
    NewDirectory.write(directory, false, this::writeInto);
  }

  /**
   * Builds the model and opens it for training; as {@link #export} and {@link TrainableModel#load},
   * with nothing left on disk.
   */
  public TrainableModel open(ModelOptions options) {
    Path directory;
    try {
      directory = Files.createTempDirectory("tfos-graph-");
    } catch (IOException e) {
      throw new TfosException(
          ModelError.WRITE_FAILED,
          "There is no room for a temporary directory: " + e,
          "Set java.io.tmpdir to a directory that can be written.",
          e);
    }
    try {
      Path model = directory.resolve("model");
      export(model);
      return SavedModelTrainable.open(model, options, StaticFiles.inMemory(model));
    } finally {
      NewDirectory.deleteTree(directory);
    }
  }

  private void writeInto(Path directory) throws IOException {
    TensorFlowRuntime.load();
    ConfigProto config =
        ConfigProto.newBuilder()
            .setIntraOpParallelismThreads(1)
            .setInterOpParallelismThreads(-1)
            .build();
    try (Graph graph = new Graph()) {
      Ops tf = Ops.create(graph);
      GraphParts parts = new GraphParts(tf);
      definition.build(tf, parts);
      GraphSignatures signatures = GraphSignatures.of(graph, tf, parts);
      try (Session session = new Session(graph, config)) {
        signatures.export(session, directory);
      }
    }
  }
}
