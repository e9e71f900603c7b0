/* SPDX-License-Identifier: Apache-2.0 */
/**
 * For those who move over from the original's {@code dfutil} and {@code DFUtil}: the same calls,
 * done by the data source. New programs use {@code spark.read().format("tfrecord")}.
 */
@org.jspecify.annotations.NullMarked
package org.tensorflowonspark.sql.compat;
