/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.Option;
import org.tensorflowonspark.cluster.TFCluster;
import org.tensorflowonspark.cluster.driver.FeedSummary;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.files.TFRecordInput;

/**
 * Trains a model on the executors with the rows of a DataFrame or the records of files: synchronous
 * steps on all nodes, the gradient of each step is the mean over all rows of all nodes.
 *
 * <pre>{@code
 * TrainingResult result =
 *     Trainer.of(spark, "hdfs:///models/mnist-cnn")
 *         .input("image", "x")
 *         .input("label", "y")
 *         .workers(4).batchSize(128).epochs(3).seed(7)
 *         .exportTo("hdfs:///models/trained")
 *         .fit(images);
 * }</pre>
 *
 * <p>Driver side; {@link #fit} blocks. A builder: each call changes this object and returns it.
 */
public final class Trainer {
  private final SparkSession spark;
  private final String model;
  private final LinkedHashMap<String, String> columnByTensor = new LinkedHashMap<>();
  private final Map<String, String> options = new LinkedHashMap<>();
  private int workers;
  private int epochs = 1;
  private long maxSteps;
  private int batchSize = 128;
  private long seed;
  private boolean shuffled = true;
  private boolean deterministic;
  private int threads = -1;
  private double validationFraction;
  private @Nullable Dataset<?> validation;
  private @Nullable TFRecordInput validationFiles;
  private @Nullable EarlyStopping earlyStopping;
  private @Nullable String exportPath;
  private boolean overwrite;
  private TrainingListener listener = progress -> {};

  private Trainer(SparkSession spark, String model) {
    this.spark = spark;
    this.model = model;
  }

  /**
   * A trainer of the trainable SavedModel at {@code model}, a path that every executor can read:
   * any file system that Hadoop knows, relative to the driver's working directory.
   */
  public static Trainer of(SparkSession spark, String model) {
    return new Trainer(spark, model);
  }

  /** Feeds column {@code column} into tensor {@code tensor}; dots reach into structs. */
  public Trainer input(String column, String tensor) {
    columnByTensor.put(tensor, column);
    return this;
  }

  /** Feeds each column that is a key into the tensor that is its value. */
  public Trainer inputMapping(Map<String, String> tensorByColumn) {
    tensorByColumn.forEach(this::input);
    return this;
  }

  /** Number of nodes; as many as the executors have task slots unless set. */
  public Trainer workers(int count) {
    workers = positive(count, "workers");
    return this;
  }

  /** How often the training sees every row; 1 unless set. */
  public Trainer epochs(int count) {
    epochs = positive(count, "epochs");
    return this;
  }

  /** Ends the training after so many steps, if the epochs do not end it before. */
  public Trainer maxSteps(long count) {
    if (count < 1) {
      throw new IllegalArgumentException("maxSteps must be at least 1, not " + count);
    }
    maxSteps = count;
    return this;
  }

  /** Rows that one node takes in one step; 128 unless set. */
  public Trainer batchSize(int rows) {
    batchSize = positive(rows, "batchSize");
    return this;
  }

  /** Seed of the order of rows and of a validation split. */
  public Trainer seed(long value) {
    seed = value;
    return this;
  }

  /** Whether rows come in random order; true unless set. */
  public Trainer shuffle(boolean on) {
    shuffled = on;
    return this;
  }

  /**
   * Makes runs with the same seed, partitions and number of nodes equal to the bit, on CPUs of the
   * same kind, for a data set that gives the same rows in the same order each time.
   */
  public Trainer deterministic() {
    deterministic = true;
    return this;
  }

  /** Threads of TensorFlow on each node; {@code spark.executor.cores} unless set. */
  public Trainer threads(int count) {
    threads = positive(count, "threads");
    return this;
  }

  /** Holds back a part of the rows, chosen by the seed, and evaluates the model on it. */
  public Trainer validationFraction(double fraction) {
    if (!(fraction > 0 && fraction < 1)) {
      throw new IllegalArgumentException("validationFraction must be in (0, 1), not " + fraction);
    }
    validationFraction = fraction;
    return this;
  }

  /** Evaluates the model on this data after each epoch; nodes keep it. */
  public Trainer validation(Dataset<?> data) {
    validation = data;
    validationFiles = null;
    return this;
  }

  /** Evaluates the model on the records of these files after each epoch; nodes read them anew. */
  public Trainer validation(TFRecordInput files) {
    validationFiles = files;
    validation = null;
    return this;
  }

  /** Ends the training when a figure stops getting better. */
  public Trainer earlyStopping(EarlyStopping rule) {
    earlyStopping = rule;
    return this;
  }

  /** Writes the trained model as an ordinary SavedModel, complete or not at all. */
  public Trainer exportTo(String path) {
    exportPath = path;
    return this;
  }

  /** Lets {@link #exportTo} replace an existing directory. */
  public Trainer overwrite() {
    overwrite = true;
    return this;
  }

  /** Hears of the progress, some times a second, on a thread of the cluster. */
  public Trainer listener(TrainingListener watcher) {
    listener = watcher;
    return this;
  }

  /** Sets an option of the cluster by its key. */
  public Trainer option(String key, String value) {
    options.put(key, value);
    return this;
  }

  /** Sets an option of the cluster. */
  public <T> Trainer option(Option<T> option, String value) {
    return option(option.key(), value);
  }

  private static int positive(int value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, not " + value);
    }
    return value;
  }

  /**
   * Trains. Blocks until the model is trained, and exported if asked for.
   *
   * @throws org.tensorflowonspark.base.TfosException the first failure, of a column, a node or the
   *     model, with its cause
   */
  public TrainingResult fit(Dataset<?> data) {
    Dataset<?> training = data;
    Dataset<?> held = validation;
    if (held == null && validationFiles == null && validationFraction > 0) {
      List<? extends Dataset<?>> parts = split(data.toDF());
      training = parts.get(0);
      held = parts.get(1);
    }
    return fit(training, held, null, validationFiles);
  }

  /**
   * Trains from TFRecord files that the nodes read themselves, each its share: no Spark job is
   * involved, and the driver sees no row. Files are listed once, when the call begins. A validation
   * fraction is a part of the records, chosen by the seed. Blocks until the model is trained, and
   * exported if asked for.
   *
   * @throws org.tensorflowonspark.base.TfosException the first failure, of a file, a record, a node
   *     or the model, with its cause
   */
  public TrainingResult fit(TFRecordInput files) {
    TFRecordInput training = files;
    TFRecordInput held = validationFiles;
    if (held == null && validation == null && validationFraction > 0) {
      training = files.sample(validationFraction, 1, seed);
      held = files.sample(0, validationFraction, seed);
    }
    return fit(null, validation, training, held);
  }

  private TrainingResult fit(
      @Nullable Dataset<?> rows,
      @Nullable Dataset<?> heldRows,
      @Nullable TFRecordInput files,
      @Nullable TFRecordInput heldFiles) {
    long start = System.nanoTime();
    TFCluster.Builder builder = TFCluster.builder(spark).onProgress(listener::onProgress);
    options.forEach(builder::option);
    if (workers > 0) {
      builder.workers(workers);
    } else {
      builder.workersFromSpark();
    }
    Epochs order = Epochs.of(epochs);
    order = shuffled ? order.shuffled(seed) : order;
    order = deterministic ? order.deterministic() : order;
    TrainPlan.Data data = new TrainPlan.Data(listed(files), order, listed(heldFiles));
    boolean validates = heldRows != null || heldFiles != null;
    try (TFCluster<Outcome> cluster = builder.call(new TrainProgram(plan(data, validates)))) {
      if (heldRows != null) {
        FeedSummary unused = cluster.load("validation", heldRows);
      }
      if (rows != null) {
        FeedSummary unused = cluster.train(rows, order);
      }
      List<Outcome> outcomes = cluster.await();
      Outcome outcome = outcomes.get(0);
      return new TrainingResult(
          List.copyOf(outcome.history()),
          outcome.steps(),
          outcomes.stream().mapToLong(Outcome::rowsUsed).sum(),
          cluster.members().size(),
          outcome.end(),
          outcome.weightsHash(),
          (System.nanoTime() - start) / 1e9);
    }
  }

  /** Lists the files here, once for all nodes. */
  private @Nullable TFRecordInput listed(@Nullable TFRecordInput input) {
    return input == null || input.files() != null
        ? input
        : input.listed(spark.sparkContext().hadoopConfiguration());
  }

  private List<Dataset<Row>> split(Dataset<Row> data) {
    return List.of(
        data.randomSplit(new double[] {1 - validationFraction, validationFraction}, seed));
  }

  private TrainPlan plan(TrainPlan.Data data, boolean validates) {
    int cores = spark.sparkContext().conf().getInt("spark.executor.cores", 0);
    return new TrainPlan(
        model,
        columnByTensor,
        data,
        batchSize,
        maxSteps,
        validates,
        deterministic,
        threads > 0 ? threads : cores,
        earlyStopping,
        exportPath,
        overwrite);
  }
}
