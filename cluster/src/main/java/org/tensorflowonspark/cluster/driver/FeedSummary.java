/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

/**
 * What became of one call that fed rows.
 *
 * @param rows rows of the data set that were handed to nodes
 * @param rowsUsed rows that programs took, over all epochs
 * @param complete whether every program took all its rows; false when one stopped reading earlier
 */
public record FeedSummary(long rows, long rowsUsed, boolean complete) {}
