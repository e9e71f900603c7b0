/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import java.io.Serializable;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** What the program on the nodes needs to know; checked on the driver. */
record TrainPlan(
    String model,
    LinkedHashMap<String, String> columnByTensor,
    int batchSize,
    long maxSteps,
    boolean validates,
    boolean deterministic,
    int threads,
    @Nullable EarlyStopping earlyStopping,
    @Nullable String exportPath,
    boolean overwrite)
    implements Serializable {}
