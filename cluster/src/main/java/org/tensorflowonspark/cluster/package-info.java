/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The doors for users on the driver: {@link org.tensorflowonspark.cluster.TFCluster} starts nodes
 * that work together, {@link org.tensorflowonspark.cluster.TFParallel} runs independent ones. Both
 * block the calling thread, never stop the SparkContext and never end the JVM.
 */
@NullMarked
package org.tensorflowonspark.cluster;

import org.jspecify.annotations.NullMarked;
