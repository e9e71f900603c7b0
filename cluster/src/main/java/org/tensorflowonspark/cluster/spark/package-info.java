/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The one place that reaches into Spark's internals ({@code private[spark]} classes): the driver's
 * RPC environment, the list of executors, the block manager. Everything else uses Spark's public
 * API.
 */
@NullMarked
package org.tensorflowonspark.cluster.spark;

import org.jspecify.annotations.NullMarked;
