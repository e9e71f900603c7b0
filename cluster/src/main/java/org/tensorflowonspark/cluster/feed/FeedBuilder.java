/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.OptionTable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.columns.ColumnError;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.cluster.control.Activity;
import org.tensorflowonspark.cluster.files.RecordShards;
import org.tensorflowonspark.cluster.files.TFRecordInput;
import org.tensorflowonspark.tensorflow.TensorSpec;

/**
 * Describes a feed before it is opened: which columns go into which tensors, and how many rows make
 * a batch. Every node must open a feed in the same way.
 */
public final class FeedBuilder {
  /** Name of a feed that nobody named. */
  public static final String DEFAULT_NAME = "train";

  private final FeedReceiver receiver;
  private final FeedReceiver.Driver driver;
  private final Activity activity;
  private final StepAgreement agreement;
  private final FileAccess fileAccess;
  private final Map<String, ColumnTarget> targets = new LinkedHashMap<>();
  private String name = DEFAULT_NAME;
  private int batchSize = 128;
  private boolean synchronous;
  private @Nullable TFRecordInput files;
  private @Nullable Epochs fileEpochs;

  /** For the node, which gives programs builders of their own. */
  public FeedBuilder(
      List<TensorSpec> tensors,
      FeedReceiver receiver,
      FeedReceiver.Driver driver,
      Activity activity,
      StepAgreement agreement,
      FileAccess fileAccess) {
    this.receiver = receiver;
    this.driver = driver;
    this.activity = activity;
    this.agreement = agreement;
    this.fileAccess = fileAccess;
    for (TensorSpec tensor : tensors) {
      targets.put(
          tensor.name(),
          ColumnTarget.of(
              tensor.name(),
              tensor.name(),
              tensor.dtype(),
              tensor.rowShape().stream().mapToLong(Long::longValue).toArray()));
    }
  }

  /** Names the feed; the driver fills it under that name. */
  public FeedBuilder named(String feedName) {
    name = feedName;
    return this;
  }

  /** Takes tensor {@code tensor} from {@code column}, with dots for fields of structs. */
  public FeedBuilder from(String tensor, String column) {
    ColumnTarget t = target(tensor);
    return set(
        new ColumnTarget(
            tensor, column, t.dtype(), t.rowShape(), t.allowLossy(), t.padding(), t.nullValue()));
  }

  /** Takes each tensor that is a key from the column that is its value. */
  public FeedBuilder from(Map<String, String> columnByTensor) {
    columnByTensor.forEach(this::from);
    return this;
  }

  /** Lets values of {@code tensor} lose what its type cannot hold. */
  public FeedBuilder lossy(String tensor) {
    return set(target(tensor).lossy());
  }

  /** Fills short rows of {@code tensor} up with {@code value}, to the longest of the batch. */
  public FeedBuilder padded(String tensor, String value) {
    return set(target(tensor).padded(value));
  }

  /** Replaces nulls of {@code tensor} by {@code value}. */
  public FeedBuilder nullsAs(String tensor, String value) {
    return set(target(tensor).nullsAs(value));
  }

  /** Rows of a batch. */
  public FeedBuilder batch(int rows) {
    if (rows < 1) {
      throw new IllegalArgumentException("A batch needs at least one row, not " + rows);
    }
    batchSize = rows;
    return this;
  }

  /**
   * For programs that call {@code NodeContext.allReduce} once for each batch: a node without rows
   * takes part with empty batches until all nodes are through with the epoch.
   */
  public FeedBuilder synchronous() {
    synchronous = true;
    return this;
  }

  /**
   * Reads TFRecord files instead of what the driver sends: the nodes share them, every record of an
   * epoch comes to exactly one of them, and a thread of the feed reads ahead as far as {@code
   * spark.tfos.feed.queueBytes}. Each epoch reads the files again, in another order when shuffled;
   * rows are then also shuffled among {@code spark.tfos.feed.shuffleRows}. The same seed, files and
   * number of nodes give the same order.
   *
   * <p>Every node opens the feed with the same files. They are listed by each node and compared
   * with the chief's, unless the input was listed before.
   *
   * @param epochs how often and in which order
   */
  public FeedBuilder files(TFRecordInput input, Epochs epochs) {
    files = input;
    fileEpochs = epochs;
    return this;
  }

  /**
   * As {@link #files(TFRecordInput, Epochs)}, in the order of the files and as often as the program
   * likes: {@code next} returns false after each pass, and begins the next pass with the next call.
   */
  public FeedBuilder files(TFRecordInput input) {
    files = input;
    fileEpochs = null;
    return this;
  }

  private FeedBuilder set(ColumnTarget target) {
    targets.put(target.tensor(), target);
    return this;
  }

  private ColumnTarget target(String tensor) {
    ColumnTarget target = targets.get(tensor);
    if (target == null) {
      String near = OptionTable.nearest(tensor, targets.keySet());
      throw new TfosException(
          ColumnError.INVALID_TARGET,
          "The feed has no tensor '" + tensor + "'",
          near == null
              ? "It has " + targets.keySet() + "."
              : "Did you mean '" + near + "'? It has " + targets.keySet() + ".");
    }
    return target;
  }

  /** Opens the feed and tells the driver; does not wait for rows. The program closes it. */
  public Feed open() {
    if (synchronous) {
      agreement.claim(name);
    }
    @Nullable StepAgreement steps = synchronous ? agreement : null;
    try {
      return new Feed(
          name, new ArrayList<>(targets.values()), batchSize, steps, epochs(), activity);
    } catch (RuntimeException e) {
      if (steps != null) {
        steps.release();
      }
      throw e;
    }
  }

  private EpochSource epochs() {
    List<ColumnTarget> columns = new ArrayList<>(targets.values());
    TFRecordInput input = files;
    if (input != null) {
      activity.doing("looks for the files of feed '" + name + "'");
      EpochSource reads =
          new FileEpochs(
              name,
              listed(input),
              fileEpochs,
              columns,
              fileAccess.nodes(),
              fileAccess.hadoop(),
              receiver);
      activity.doing("runs its program");
      return reads;
    }
    driver.opened(name, new FeedSpec(columns, batchSize, synchronous, List.of()).encode());
    return new SessionEpochs(name, receiver, driver, activity);
  }

  private TFRecordInput listed(TFRecordInput input) {
    if (input.files() != null) {
      return input;
    }
    List<String> paths = input.paths().stream().map(fileAccess.resolve()).toList();
    TFRecordInput listed = input.withPaths(paths).listed(fileAccess.hadoop());
    long own = RecordShards.fingerprint(Objects.requireNonNull(listed.files()));
    if (fileAccess.chiefs().applyAsLong(own) != own) {
      throw FeedErrors.filesDiffer(name, paths);
    }
    return listed;
  }

  /**
   * Opens the feed to answer row by row with {@code outputs}, usually {@code
   * model.servedOutputs()}; {@code TFCluster.inference} asks. The program closes it.
   */
  public InferenceFeed openToAnswer(List<TensorSpec> outputs) {
    FeedSpec spec = new FeedSpec(new ArrayList<>(targets.values()), batchSize, false, outputs);
    InferenceFeed feed = new InferenceFeed(name, spec, receiver.questions(name), activity);
    driver.opened(name, spec.encode());
    return feed;
  }
}
