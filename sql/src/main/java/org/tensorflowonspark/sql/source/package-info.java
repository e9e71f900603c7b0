/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The Spark data source {@code tfrecord}, an implementation of Spark's internal {@code FileFormat}.
 * Users meet it by {@code format("tfrecord")} and {@link
 * org.tensorflowonspark.sql.source.TFRecordOptions}; Spark makes {@link
 * org.tensorflowonspark.sql.source.TFRecordFileFormat} by its name.
 *
 * <p>Plans ({@code ScanPlan}, options, factories) are made on the driver, are immutable and travel
 * to executors. What reads or writes a file belongs to one thread of one task; a reader closes
 * itself behind its last row and at the end of the task, a writer is closed by Spark.
 */
@org.jspecify.annotations.NullMarked
package org.tensorflowonspark.sql.source;
