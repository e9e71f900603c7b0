/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Random;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.cluster.node.NodeFunction;
import org.tensorflowonspark.cluster.node.StepResult;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.Gradients;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.TrainableModel;

/**
 * Times steps on one batch in memory three ways: both nodes each for itself, both in step, and the
 * first node while the other one waits.
 *
 * @param model path of a trainable SavedModel with columns {@code x} and {@code y}
 * @param batch rows a step
 * @param warm steps of each way before the clock starts
 * @param steps steps of each way that are timed
 * @param interOp threads between operations, as in {@link ModelOptions}
 */
record StepTimes(String model, int batch, int warm, int steps, int interOp)
    implements NodeFunction<StepTimes.Node> {

  /**
   * Seconds of one node.
   *
   * @param apart all steps without exchange
   * @param together all steps in step
   * @param alone all steps while the other waits; 0 on the node that waits
   * @param gradients part of {@code together}
   * @param exchange part of {@code together}
   * @param apply part of {@code together}
   * @param apartCpu processor time of the whole process in {@code apart}
   * @param togetherCpu the same in {@code together}
   * @param weights checksum of the variables of the model that was trained in step
   */
  record Node(
      double apart,
      double together,
      double alone,
      double gradients,
      double exchange,
      double apply,
      double apartCpu,
      double togetherCpu,
      long weights)
      implements Serializable {}

  @Override
  public Node run(NodeContext ctx) {
    ModelOptions options = ModelOptions.defaults().withThreads(1, interOp);
    // Two models: steps apart would make the weights differ that steps together keep equal.
    try (TrainableModel own = ctx.loadModel(model, options);
        TrainableModel shared = ctx.loadModel(model, options);
        Batch tensors = filled(own, batch, ctx.rank())) {
      double unused = apart(own, tensors, warm);
      double[] parts = new double[3];
      double unusedToo = together(ctx, shared, tensors, warm, parts);
      ctx.collective().barrier();
      double cpu = cpuSeconds();
      double apart = apart(own, tensors, steps);
      double apartCpu = cpuSeconds() - cpu;
      ctx.collective().barrier();
      parts = new double[3];
      cpu = cpuSeconds();
      double together = together(ctx, shared, tensors, steps, parts);
      double togetherCpu = cpuSeconds() - cpu;
      ctx.collective().barrier();
      double alone = ctx.isChief() ? apart(own, tensors, steps) : 0;
      ctx.collective().barrier();
      return new Node(
          apart,
          together,
          alone,
          parts[0],
          parts[1],
          parts[2],
          apartCpu,
          togetherCpu,
          Weights.checksum(shared));
    }
  }

  private static double cpuSeconds() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1e9;
  }

  private static double apart(TrainableModel model, Batch batch, int count) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      try (Gradients gradients = model.gradients(batch)) {
        model.apply(gradients);
      }
    }
    return Executors.seconds(start);
  }

  private static double together(
      NodeContext ctx, TrainableModel model, Batch batch, int count, double[] parts) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long t0 = System.nanoTime();
      try (Gradients gradients = model.gradients(batch)) {
        long t1 = System.nanoTime();
        StepResult step = ctx.allReduce(gradients);
        Executors.check(step.weight() == batch.rows() * (double) ctx.size(), "weight of a step");
        long t2 = System.nanoTime();
        model.apply(gradients);
        parts[0] += (t1 - t0) / 1e9;
        parts[1] += (t2 - t1) / 1e9;
        parts[2] += Executors.seconds(t2);
      }
    }
    return Executors.seconds(start);
  }

  /** Random inputs from 0 to 1 and labels from 0 to 9, other ones on each node. */
  private static Batch filled(TrainableModel model, int rows, int seed) {
    Random random = new Random(seed);
    Batch batch = model.newBatch(rows);
    ByteBuffer x = batch.buffer("x");
    while (x.hasRemaining()) {
      x.putFloat(random.nextFloat());
    }
    ByteBuffer y = batch.buffer("y");
    while (y.hasRemaining()) {
      y.putLong(random.nextInt(10));
    }
    batch.setRows(rows);
    return batch;
  }
}
