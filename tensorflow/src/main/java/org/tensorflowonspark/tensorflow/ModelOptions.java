/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.util.List;
import org.tensorflow.proto.ConfigProto;

/**
 * How a model is loaded and run. Immutable; start from {@link #defaults()}.
 *
 * @param intraOpThreads threads within one operation, 0 = TensorFlow decides (all cores).
 *     TensorFlow keeps one such pool in a process: the first model loaded decides for all later
 *     ones
 * @param interOpThreads operations run at a time, 0 = TensorFlow decides (one pool of all cores in
 *     the process), above 0 = a pool of this model's own, -1 = operations run one after another on
 *     the thread that calls, which is the fastest for small models on one core
 * @param deterministic the same bits on each run: one thread within and between operations. Sums
 *     still differ between machines with other vector instructions unless the process was started
 *     with {@code TF_ENABLE_ONEDNN_OPTS=0}; {@code TF_DETERMINISTIC_OPS=1} makes operations without
 *     a deterministic kernel fail. Both are read from the environment by TensorFlow itself and
 *     cannot be set here
 * @param tags which graph of the SavedModel; {@code serve} for almost all
 */
public record ModelOptions(
    int intraOpThreads, int interOpThreads, boolean deterministic, List<String> tags) {

  public ModelOptions {
    if (intraOpThreads < 0 || interOpThreads < -1) {
      throw new IllegalArgumentException(
          "Threads within and between operations are "
              + intraOpThreads
              + " and "
              + interOpThreads
              + ": give them 0 (TensorFlow decides) or more; between operations also -1");
    }
    tags = List.copyOf(tags);
  }

  /** TensorFlow decides on threads; tag {@code serve}. */
  public static ModelOptions defaults() {
    return new ModelOptions(0, 0, false, List.of("serve"));
  }

  /** With another number of threads. */
  public ModelOptions withThreads(int intraOp, int interOp) {
    return new ModelOptions(intraOp, interOp, deterministic, tags);
  }

  /** With the same bits on each run, or not. */
  public ModelOptions withDeterministic(boolean on) {
    return new ModelOptions(intraOpThreads, interOpThreads, on, tags);
  }

  /** With other tags. */
  public ModelOptions withTags(String... newTags) {
    return new ModelOptions(intraOpThreads, interOpThreads, deterministic, List.of(newTags));
  }

  byte[] config() {
    int intra = deterministic ? 1 : intraOpThreads;
    int inter = deterministic && interOpThreads >= 0 ? 1 : interOpThreads;
    return ConfigProto.newBuilder()
        .setIntraOpParallelismThreads(intra)
        .setInterOpParallelismThreads(inter)
        // Without it the pool of whichever session came first in the process is used.
        .setUsePerSessionThreads(inter > 0)
        // On one core, idle threads that spin take it from the exchange between the steps.
        .setExperimental(ConfigProto.Experimental.newBuilder().setDisableThreadSpinning(intra == 1))
        .build()
        .toByteArray();
  }
}
