/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.io.Serializable;
import java.util.List;
import org.tensorflowonspark.cluster.feed.Feed;
import org.tensorflowonspark.cluster.feed.FeedBuilder;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.cluster.node.NodeFunction;
import org.tensorflowonspark.cluster.node.StepResult;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.Gradients;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.TrainableModel;

/**
 * The steps of {@code Trainer}'s program, for as many data sets as the driver feeds: so that the
 * first ones can be the warm-up.
 *
 * @param model path of the trainable SavedModel
 * @param batch rows a step
 * @param inStep whether nodes exchange gradients, or train each for itself
 * @param interOp threads between operations, as in {@link ModelOptions}
 */
record StepProgram(String model, int batch, boolean inStep, int interOp)
    implements NodeFunction<StepProgram.Outcome> {

  /**
   * What a node did.
   *
   * @param rows over all data sets
   * @param steps over all data sets
   * @param accuracy while training, as a moving mean over some hundred steps
   * @param weights checksum of all variables
   */
  record Outcome(long rows, long steps, double accuracy, long weights) implements Serializable {}

  @Override
  public Outcome run(NodeContext ctx) throws InterruptedException {
    ModelOptions options = ModelOptions.defaults().withThreads(1, interOp);
    long rows = 0;
    long steps = 0;
    double accuracy = 0;
    try (TrainableModel trained = ctx.loadModel(model, options);
        Batch tensors = trained.newBatch(batch);
        Feed feed = feed(ctx, trained)) {
      while (feed.next(tensors)) {
        rows += tensors.rows();
        try (Gradients gradients = trained.gradients(tensors)) {
          double mean = gradients.metrics().getOrDefault("accuracy", 0.0);
          if (inStep) {
            StepResult step = ctx.allReduce(gradients);
            if (!step.hasRows()) {
              continue;
            }
            mean = step.metrics().getOrDefault("accuracy", 0.0);
          }
          trained.apply(gradients);
          steps++;
          accuracy += 0.01 * (mean - accuracy);
        }
      }
      return new Outcome(rows, steps, accuracy, Weights.checksum(trained));
    }
  }

  private Feed feed(NodeContext ctx, TrainableModel trained) {
    FeedBuilder builder =
        ctx.feed(trained.signature().inputs()).from("x", "image").from("y", "label").batch(batch);
    return inStep ? builder.synchronous().open() : builder.open();
  }

  /** Checks that all nodes have the same weights. */
  static void checkEqual(List<Outcome> nodes) {
    for (Outcome node : nodes) {
      Executors.check(
          node.weights() == nodes.get(0).weights(), "nodes in step ended with other weights");
    }
  }
}
