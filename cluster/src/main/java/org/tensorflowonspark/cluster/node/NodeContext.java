/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.tensorflowonspark.cluster.collective.Collective;
import org.tensorflowonspark.cluster.config.Role;
import org.tensorflowonspark.cluster.control.Member;
import org.tensorflowonspark.cluster.control.Progress;
import org.tensorflowonspark.cluster.feed.FeedBuilder;
import org.tensorflowonspark.tensorflow.Gradients;
import org.tensorflowonspark.tensorflow.ModelOptions;
import org.tensorflowonspark.tensorflow.ServedModel;
import org.tensorflowonspark.tensorflow.TensorSpec;
import org.tensorflowonspark.tensorflow.TrainableModel;

/**
 * What a program on a node gets: who it is, who the others are, its feeds, the way to exchange
 * tensors, and files. Used by the program's thread; valid until the program returns. Whatever the
 * program opens itself it also closes; the collective is the node's.
 */
public interface NodeContext {

  /** The node's rank, from 0; the chief has 0, evaluators come last. */
  int rank();

  /** Number of nodes that train together: all but evaluators. */
  int size();

  /** What this node is. */
  Role role();

  /** Index of the node within its role. */
  int taskIndex();

  /** Whether this node exports and reports for all. */
  default boolean isChief() {
    return role() == Role.CHIEF;
  }

  /** All nodes, by rank. */
  List<Member> roster();

  /** The cluster's id. */
  String clusterId();

  /**
   * The cluster as JSON in the form of {@code TF_CONFIG}, with the nodes' data-plane addresses, for
   * programs that read that variable.
   */
  String tfConfig();

  /** The driver's Hadoop configuration. */
  Configuration hadoop();

  /**
   * The path that {@code text} means: any scheme that Hadoop knows; without a scheme the default
   * file system; a relative one below the driver's working directory.
   */
  Path path(String text);

  /** An empty local directory of this node, deleted when it ends. */
  java.nio.file.Path scratch();

  /**
   * Loads a trainable SavedModel from any path, through a local copy in {@link #scratch}. The
   * program closes it.
   */
  TrainableModel loadModel(String path, ModelOptions options);

  /**
   * Loads any SavedModel for prediction, from any path, through a local copy in {@link #scratch}.
   * The program closes it.
   */
  ServedModel loadServedModel(String path, ModelOptions options);

  /**
   * Writes the model to any path as an ordinary SavedModel, complete or not at all.
   *
   * @param overwrite whether an existing directory is replaced
   */
  void exportModel(TrainableModel model, String path, boolean overwrite);

  /**
   * Fails if {@link #exportModel} to that path would: before hours of training, not after.
   *
   * @throws org.tensorflowonspark.base.TfosException when the directory exists, is not empty and
   *     may not be replaced
   */
  void checkExport(String path, boolean overwrite);

  /**
   * Describes a feed of these tensors, each from the column of the same name unless told otherwise.
   * Usually {@code model.signature().inputs()}.
   */
  FeedBuilder feed(List<TensorSpec> tensors);

  /**
   * The exchange of tensors among the nodes that train. Connects at the first use.
   *
   * @throws IllegalStateException on an evaluator, which takes no part
   */
  Collective collective();

  /**
   * One step's exchange: replaces the gradients by their mean over all rows of all nodes, and gives
   * the mean loss and metrics. Every node calls it once for each batch, with an empty batch too.
   * Blocks until all have.
   */
  StepResult allReduce(Gradients gradients);

  /** The part of {@code items} that belongs to this node: each item to exactly one node. */
  default <T> List<T> shard(List<T> items) {
    return java.util.stream.IntStream.range(0, items.size())
        .filter(i -> i % size() == rank())
        .mapToObj(items::get)
        .toList();
  }

  /**
   * Whether the cluster is stopping, or all other nodes that train have returned. A long loop of
   * the program's own should look now and then; an evaluator ends by it.
   */
  boolean shouldStop();

  /** Reports figures to whoever watches on the driver. */
  void report(Progress progress);
}
