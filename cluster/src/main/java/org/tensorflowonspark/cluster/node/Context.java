/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.collective.Collective;
import org.tensorflowonspark.cluster.collective.ElementType;
import org.tensorflowonspark.cluster.collective.ReduceBuffers;
import org.tensorflowonspark.cluster.collective.Reduced;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.config.ClusterOptions;
import org.tensorflowonspark.cluster.config.Role;
import org.tensorflowonspark.cluster.control.Activity;
import org.tensorflowonspark.cluster.control.Member;
import org.tensorflowonspark.cluster.control.Progress;
import org.tensorflowonspark.cluster.feed.FeedBuilder;
import org.tensorflowonspark.cluster.feed.FeedReceiver;
import org.tensorflowonspark.cluster.feed.FileAccess;
import org.tensorflowonspark.cluster.feed.NodeAddresses;
import org.tensorflowonspark.cluster.feed.StepAgreement;
import org.tensorflowonspark.cluster.transport.NodeTransport;
import org.tensorflowonspark.tensorflow.Gradients;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.ServedModel;
import org.tensorflowonspark.tensorflow.TensorSpec;
import org.tensorflowonspark.tensorflow.TrainableModel;

/** The context that a node's runtime gives to its program. */
final class Context implements NodeContext, AutoCloseable {
  private final NodeSpec spec;
  private final Member member;
  private final List<Member> roster;
  private final DriverLink driver;
  private final NodeTransport transport;
  private final @Nullable FeedReceiver receiver;
  private final Activity activity;
  private final NodeRuntime.Scratch scratch;
  private final StepAgreement agreement = new StepAgreement();
  private final ModelFiles models;
  private @Nullable Collective collective;
  private volatile @Nullable Throwable aborted;

  /** Workers other than this node whose programs have not returned. */
  private int workersRunning;

  private volatile boolean trainingOver;

  /** Why no exchange among all nodes can begin any more. */
  private @Nullable Throwable incomplete;

  Context(
      NodeSpec spec,
      Member member,
      List<Member> roster,
      DriverLink driver,
      NodeTransport transport,
      @Nullable FeedReceiver receiver,
      Activity activity,
      NodeRuntime.Scratch scratch) {
    this.spec = spec;
    this.member = member;
    this.roster = roster;
    this.driver = driver;
    this.transport = transport;
    this.receiver = receiver;
    this.activity = activity;
    this.scratch = scratch;
    this.workersRunning = spec.workers() - (member.role() == Role.EVALUATOR ? 0 : 1);
    this.models = new ModelFiles(spec.hadoop().value(), scratch.directory());
  }

  @Override
  public int rank() {
    return member.rank();
  }

  @Override
  public int size() {
    return spec.workers();
  }

  @Override
  public Role role() {
    return member.role();
  }

  @Override
  public int taskIndex() {
    return member.taskIndex();
  }

  @Override
  public List<Member> roster() {
    return roster;
  }

  @Override
  public String clusterId() {
    return spec.clusterId();
  }

  @Override
  public String tfConfig() {
    return TfConfig.of(roster, member);
  }

  @Override
  public Configuration hadoop() {
    return spec.hadoop().value();
  }

  @Override
  public Path path(String text) {
    return ModelFiles.resolve(text, spec.workingDirectory(), hadoop());
  }

  @Override
  public java.nio.file.Path scratch() {
    return scratch.directory();
  }

  @Override
  public TrainableModel loadModel(String path, ModelOptions options) {
    activity.doing("loads model " + path);
    TrainableModel model = TrainableModel.load(models.localCopy(path(path)), options);
    activity.doing("runs its program");
    return model;
  }

  @Override
  public ServedModel loadServedModel(String path, ModelOptions options) {
    activity.doing("loads model " + path);
    ServedModel model = ServedModel.load(models.localCopy(path(path)), options);
    activity.doing("runs its program");
    return model;
  }

  @Override
  public void exportModel(TrainableModel model, String path, boolean overwrite) {
    activity.doing("exports its model to " + path);
    models.export(model, path(path), overwrite);
    activity.doing("runs its program");
  }

  @Override
  public void checkExport(String path, boolean overwrite) {
    models.checkTarget(path(path), overwrite);
  }

  @Override
  public FeedBuilder feed(List<TensorSpec> tensors) {
    FeedReceiver feeds = receiver;
    if (feeds == null) {
      throw new IllegalStateException(member.describe() + " is an evaluator and has no feeds");
    }
    FileAccess files =
        new FileAccess(hadoop(), size(), text -> path(text).toString(), this::chiefs);
    return new FeedBuilder(tensors, feeds, driver, activity, agreement, files);
  }

  /** The chief's number on every node; all nodes call it together. */
  private long chiefs(long own) {
    if (size() == 1) {
      return own;
    }
    ByteBuffer bytes = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.putLong(0, own);
    collective().broadcast(0, ReduceBuffers.of(ElementType.INT32, List.of(bytes)));
    return bytes.getLong(0);
  }

  @Override
  public Collective collective() {
    if (role() == Role.EVALUATOR) {
      throw new IllegalStateException(member.describe() + " takes no part in collectives");
    }
    synchronized (this) {
      Collective open = collective;
      if (open == null) {
        open =
            Collective.create(
                transport,
                roster.stream()
                    .filter(m -> m.role() != Role.EVALUATOR)
                    .map(m -> NodeAddresses.parse(m.address()))
                    .toList(),
                spec.options().get(ClusterOptions.PROGRESS_TIMEOUT));
        collective = open;
        Throwable cause = aborted == null ? incomplete : aborted;
        if (cause != null) {
          open.abort(cause);
        }
      }
      return open;
    }
  }

  @Override
  public StepResult allReduce(Gradients gradients) {
    Map<String, Double> metrics = gradients.metrics();
    double weight = gradients.weight();
    double[] scalars = new double[2 + metrics.size()];
    scalars[0] = agreement.mayHaveMore() ? 1 : 0;
    scalars[1] = weight * gradients.loss();
    int i = 2;
    for (double metric : metrics.values()) {
      scalars[i++] = weight * metric;
    }
    activity.doing("exchanges gradients");
    Reduced reduced = collective().allReduce(buffers(gradients), weight, scalars);
    activity.doing("runs its program");
    agreement.agreed(reduced.scalar(0) > 0);
    double total = reduced.totalWeight();
    double divisor = total > 0 ? total : 1;
    Map<String, Double> means = new LinkedHashMap<>();
    i = 2;
    for (String name : metrics.keySet()) {
      means.put(name, reduced.scalar(i++) / divisor);
    }
    return new StepResult(total, reduced.scalar(1) / divisor, means);
  }

  private static ReduceBuffers buffers(Gradients gradients) {
    return new ReduceBuffers() {
      @Override
      public int count() {
        return gradients.size();
      }

      @Override
      public ByteBuffer buffer(int index) {
        return gradients.buffer(index);
      }

      @Override
      public ElementType elementType(int index) {
        return ElementTypes.of(gradients.spec(index));
      }
    };
  }

  @Override
  public boolean shouldStop() {
    return aborted != null || trainingOver;
  }

  @Override
  public void report(Progress progress) {
    driver.report(progress);
  }

  /**
   * The program of another node has returned. Nodes that have connected by then hear of it over
   * their links, once they have what it sent; others would wait for it in vain.
   */
  void returned(int rank) {
    synchronized (this) {
      if (rank == rank()) {
        return;
      }
      if (rank < size() && --workersRunning == 0) {
        trainingOver = true;
      }
      Throwable cause =
          new TfosException(
              ClusterError.STOPPED,
              "The program of " + roster.get(rank).describe() + " has returned",
              "Let the programs of all nodes take part in the same exchanges.");
      incomplete = cause;
      Collective open = collective;
      if (open != null && !open.isConnected()) {
        open.abort(cause);
      }
    }
  }

  void abort(Throwable cause) {
    synchronized (this) {
      aborted = cause;
      if (collective != null) {
        collective.abort(cause);
      }
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (collective != null) {
        collective.close();
        collective = null;
      }
    }
  }
}
