/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.train;

import java.io.Serializable;
import java.util.ArrayList;

/** What one node's program returns; the same on all nodes but for time and rows. */
record Outcome(
    ArrayList<EpochReport> history,
    long steps,
    TrainingResult.End end,
    long weightsHash,
    long rowsUsed)
    implements Serializable {}
