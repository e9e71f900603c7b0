/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import java.io.Serializable;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.feed.Epochs;
import org.tensorflowonspark.cluster.files.TFRecordInput;

/** What the program on the nodes needs to know; checked on the driver. */
record TrainPlan(
    String model,
    LinkedHashMap<String, String> columnByTensor,
    Data data,
    int batchSize,
    long maxSteps,
    boolean validates,
    boolean deterministic,
    int threads,
    @Nullable EarlyStopping earlyStopping,
    @Nullable String exportPath,
    boolean overwrite)
    implements Serializable {

  /**
   * Files that the nodes read themselves; nothing in it when the driver feeds them.
   *
   * @param training records to train from
   * @param epochs how often and in which order
   * @param validation records to evaluate with after each epoch
   */
  record Data(@Nullable TFRecordInput training, Epochs epochs, @Nullable TFRecordInput validation)
      implements Serializable {}
}
