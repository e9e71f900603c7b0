/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.OptionTable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.collective.ElementType;
import org.tensorflowonspark.cluster.collective.ReduceBuffers;
import org.tensorflowonspark.cluster.collective.Reduced;
import org.tensorflowonspark.cluster.control.Progress;
import org.tensorflowonspark.cluster.feed.Feed;
import org.tensorflowonspark.cluster.feed.FeedBuilder;
import org.tensorflowonspark.cluster.files.TFRecordInput;
import org.tensorflowonspark.cluster.node.ElementTypes;
import org.tensorflowonspark.cluster.node.NodeContext;
import org.tensorflowonspark.cluster.node.NodeFunction;
import org.tensorflowonspark.cluster.node.StepResult;
import org.tensorflowonspark.tensorflow.Batch;
import org.tensorflowonspark.tensorflow.Evaluation;
import org.tensorflowonspark.tensorflow.Gradients;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.ModelSignature;
import org.tensorflowonspark.tensorflow.TensorList;
import org.tensorflowonspark.tensorflow.TensorSpec;
import org.tensorflowonspark.tensorflow.TrainableModel;

/**
 * The training loop of one node. All nodes take the same decisions since they decide only from
 * figures that an exchange has made equal on all of them.
 */
final class TrainProgram implements NodeFunction<Outcome> {
  private static final long serialVersionUID = 1L;
  private static final String VALIDATION = "validation";
  private static final long REPORT_NANOS = Duration.ofMillis(200).toNanos();

  private final TrainPlan plan;

  TrainProgram(TrainPlan plan) {
    this.plan = plan;
  }

  @Override
  public Outcome run(NodeContext ctx) throws Exception {
    ModelOptions options =
        ModelOptions.defaults()
            // On one core, operations that run one after the other on the calling thread are
            // faster than a pool.
            .withThreads(plan.threads(), plan.threads() == 1 ? -1 : 0)
            .withDeterministic(plan.deterministic());
    try (TrainableModel model = ctx.loadModel(plan.model(), options)) {
      checkMapping(model.signature());
      String target = plan.exportPath();
      if (target != null && ctx.isChief()) {
        ctx.checkExport(target, plan.overwrite());
      }
      shareVariables(ctx, model);
      try (Batch batch = model.newBatch(plan.batchSize());
          Feed validation = plan.validates() ? validationFeed(ctx, model).open() : null;
          Feed feed = trainingFeed(ctx, model).open()) {
        Outcome outcome = new Loop(ctx, model, batch, feed, validation).run();
        String path = plan.exportPath();
        if (path != null && ctx.isChief()) {
          ctx.exportModel(model, path, plan.overwrite());
        }
        return outcome;
      }
    }
  }

  private FeedBuilder trainingFeed(NodeContext ctx, TrainableModel model) {
    FeedBuilder builder = feed(ctx, model).batch(plan.batchSize()).synchronous();
    TFRecordInput files = plan.data().training();
    return files == null ? builder : builder.files(files, plan.data().epochs());
  }

  private FeedBuilder validationFeed(NodeContext ctx, TrainableModel model) {
    FeedBuilder builder = feed(ctx, model).named(VALIDATION);
    TFRecordInput files = plan.data().validation();
    return files == null ? builder : builder.files(files);
  }

  private FeedBuilder feed(NodeContext ctx, TrainableModel model) {
    return ctx.feed(model.signature().inputs()).from(plan.columnByTensor());
  }

  private void checkMapping(ModelSignature signature) {
    List<String> tensors = signature.inputs().stream().map(t -> t.name()).toList();
    for (String tensor : plan.columnByTensor().keySet()) {
      if (!tensors.contains(tensor)) {
        String near = OptionTable.nearest(tensor, tensors);
        throw new TfosException(
            TrainError.UNKNOWN_TENSOR,
            "The input mapping names tensor '" + tensor + "', which the model does not take",
            (near == null ? "" : "Did you mean '" + near + "'? ") + "It takes " + tensors + ".");
      }
    }
    if (plan.validates() && !signature.evaluates()) {
      throw new TfosException(
          TrainError.NO_EVALUATION,
          "The model at " + plan.model() + " has no 'evaluate' signature",
          "Export it again with the exporter of this version, or train without validation.");
    }
  }

  /** The chief's variables count, whatever the nodes loaded. */
  private static void shareVariables(NodeContext ctx, TrainableModel model) {
    if (ctx.size() == 1) {
      return;
    }
    try (TensorList variables = model.readVariables()) {
      // All in one buffer: a broadcast does not look at what the bytes mean.
      ByteBuffer all = ByteBuffer.allocateDirect(alignedBytes(variables));
      if (ctx.isChief()) {
        copy(variables, all, true);
      }
      ctx.collective().broadcast(0, ReduceBuffers.of(ElementType.INT32, List.of(all.clear())));
      if (!ctx.isChief()) {
        copy(variables, all.clear(), false);
        model.writeVariables(variables);
      }
    }
  }

  private static int alignedBytes(TensorList variables) {
    long bytes = Integer.BYTES;
    for (TensorSpec spec : variables.specs()) {
      bytes += spec.dtype().isFixedWidth() ? spec.byteSize() : 0;
    }
    return Math.toIntExact(bytes / Integer.BYTES * Integer.BYTES);
  }

  private static void copy(TensorList variables, ByteBuffer all, boolean out) {
    for (int i = 0; i < variables.size(); i++) {
      if (variables.spec(i).dtype().isFixedWidth()) {
        ByteBuffer variable = variables.buffer(i);
        if (out) {
          all.put(variable);
        } else {
          int length = variable.remaining();
          variable.put(all.slice(all.position(), length));
          all.position(all.position() + length);
        }
      }
    }
  }

  private static ReduceBuffers buffers(TensorList tensors) {
    return new ReduceBuffers() {
      @Override
      public int count() {
        return tensors.size();
      }

      @Override
      public ByteBuffer buffer(int index) {
        return tensors.buffer(index);
      }

      @Override
      public ElementType elementType(int index) {
        return ElementTypes.of(tensors.spec(index));
      }
    };
  }

  /** The loop's state. */
  private final class Loop {
    private final NodeContext ctx;
    private final TrainableModel model;
    private final Batch batch;
    private final Feed feed;
    private final @Nullable Feed validation;
    private final ArrayList<EpochReport> history = new ArrayList<>();
    private final long start = System.nanoTime();
    private Means means = new Means();
    private long epochStart = start;
    private long epochSteps;
    private long steps;
    private int epoch;
    private long lastReport;

    /** Rows that this node alone has trained from in this epoch. */
    private long epochRows;

    private double best = Double.NaN;
    private int bestEpoch;

    Loop(NodeContext ctx, TrainableModel model, Batch batch, Feed feed, @Nullable Feed validation) {
      this.ctx = ctx;
      this.model = model;
      this.batch = batch;
      this.feed = feed;
      this.validation = validation;
    }

    Outcome run() throws InterruptedException {
      while (feed.next(batch)) {
        if (feed.epoch() != epoch && endEpoch()) {
          return outcome(TrainingResult.End.EARLY_STOP);
        }
        epoch = feed.epoch();
        step();
        if (plan.maxSteps() > 0 && steps >= plan.maxSteps()) {
          boolean unused = endEpoch();
          return outcome(TrainingResult.End.STEPS);
        }
      }
      if (steps == 0) {
        throw new TfosException(
            TrainError.NO_ROWS,
            "The data set has no rows, so there was nothing to train from",
            "Look at the filter or path that the DataFrame comes from.");
      }
      boolean unused = endEpoch();
      return outcome(TrainingResult.End.EPOCHS);
    }

    private void step() {
      try (Gradients gradients = model.gradients(batch)) {
        StepResult step = ctx.allReduce(gradients);
        if (!step.hasRows()) {
          return;
        }
        if (!Double.isFinite(step.loss())) {
          throw new TfosException(
              TrainError.NOT_FINITE,
              "The loss is " + step.loss() + " at step " + steps + " of epoch " + epoch,
              "Lower the learning rate, or look for infinite or very large values in the data.");
        }
        model.apply(gradients);
        epochRows += batch.rows();
        steps++;
        epochSteps++;
        means.add(step.weight(), step.loss(), step.metrics());
      }
      report();
    }

    private void report() {
      long now = System.nanoTime();
      if (ctx.isChief() && now - lastReport > REPORT_NANOS) {
        lastReport = now;
        ctx.report(new Progress(epoch, steps, (long) means.weight(), means.means("")));
      }
    }

    /** Closes the books on an epoch; true when training is to stop. */
    private boolean endEpoch() throws InterruptedException {
      if (epochSteps == 0) {
        return false;
      }
      averageLayerState();
      Map<String, Double> figures = new LinkedHashMap<>(means.means(""));
      if (validation != null) {
        figures.putAll(validate(validation));
      }
      long now = System.nanoTime();
      history.add(
          new EpochReport(
              epoch, epochSteps, (long) means.weight(), figures, (now - epochStart) / 1e9));
      if (ctx.isChief()) {
        ctx.report(new Progress(epoch, steps, (long) means.weight(), figures));
      }
      means = new Means();
      epochSteps = 0;
      epochRows = 0;
      epochStart = now;
      return stopsEarly(figures);
    }

    /**
     * Moving averages and the like have seen only their own node's rows; from here on all nodes,
     * and the exported model, have the mean over all rows.
     */
    private void averageLayerState() {
      List<String> names = model.layerState();
      if (ctx.size() == 1 || names.isEmpty()) {
        return;
      }
      try (TensorList state = model.readVariables(names)) {
        Reduced unused = ctx.collective().allReduce(buffers(state), (double) epochRows);
        model.writeVariables(state);
      }
    }

    private boolean stopsEarly(Map<String, Double> figures) {
      EarlyStopping rule = plan.earlyStopping();
      if (rule == null) {
        return false;
      }
      Double value = figures.get(rule.figure());
      if (value == null) {
        throw new TfosException(
            TrainError.UNKNOWN_METRIC,
            "Early stopping watches '" + rule.figure() + "', which this training does not give",
            "Watch one of " + figures.keySet() + ".");
      }
      if (rule.isBetter(value, Double.isNaN(best) ? rule.worst() : best)) {
        best = value;
        bestEpoch = epoch;
        return false;
      }
      return epoch - bestEpoch > rule.patience();
    }

    private Map<String, Double> validate(Feed rows) throws InterruptedException {
      Means local = new Means();
      // A node without validation rows has the same figures to exchange as the others.
      Map<String, Double> zeros = new LinkedHashMap<>();
      model.signature().metrics().forEach(name -> zeros.put(name, 0.0));
      local.add(0, 0, zeros);
      try (Batch other = model.newBatch(plan.batchSize())) {
        while (rows.next(other)) {
          Evaluation part = model.evaluate(other);
          local.add(part.weight(), part.loss(), part.metrics());
        }
      }
      double[] sums = local.sums();
      double[] scalars = java.util.Arrays.copyOf(sums, sums.length + 1);
      scalars[sums.length] = local.weight();
      Reduced all = ctx.collective().allReduceSum(ReduceBuffers.none(), scalars);
      double weight = all.scalar(sums.length);
      if (weight == 0) {
        throw new TfosException(
            TrainError.NO_VALIDATION_ROWS,
            "The validation data has no rows, so there is nothing to measure",
            "Give more rows, a larger validationFraction, or train without validation.");
      }
      Map<String, Double> figures = new LinkedHashMap<>();
      int i = 0;
      for (String name : local.means("val_").keySet()) {
        figures.put(name, all.scalar(i) / weight);
        i++;
      }
      return figures;
    }

    private Outcome outcome(TrainingResult.End end) {
      return new Outcome(history, steps, end, hash(), feed.rowsUsed());
    }

    /** FNV-1a over the bytes of all variables. */
    private long hash() {
      long hash = 0xcbf29ce484222325L;
      try (TensorList variables = model.readVariables()) {
        for (int i = 0; i < variables.size(); i++) {
          if (!variables.spec(i).dtype().isFixedWidth()) {
            continue;
          }
          ByteBuffer bytes = variables.buffer(i);
          while (bytes.remaining() >= Long.BYTES) {
            hash = (hash ^ bytes.getLong()) * 0x100000001b3L;
          }
          while (bytes.hasRemaining()) {
            hash = (hash ^ bytes.get()) * 0x100000001b3L;
          }
        }
      }
      return hash;
    }
  }
}
