/* SPDX-License-Identifier: Apache-2.0 */
/**
 * From Spark's internal rows to columns of tensors, and from answers back to rows.
 *
 * <p>The way in: {@link org.tensorflowonspark.cluster.columns.ColumnTarget} says which column feeds
 * which tensor, {@link org.tensorflowonspark.cluster.columns.ColumnPlan} checks all of them on the
 * driver, {@link org.tensorflowonspark.cluster.columns.ChunkBuilder} packs rows into {@link
 * org.tensorflowonspark.cluster.columns.Chunk}s in the feed task and {@link
 * org.tensorflowonspark.cluster.columns.ChunkReader} copies rows of chunks into batches in the
 * node. The way out: {@link org.tensorflowonspark.cluster.columns.AnswerRows}.
 *
 * <p>Plans, targets and chunks are values and safe on any thread; builders and readers belong to
 * one thread. Nothing here owns native memory: chunks live in byte arrays of the heap or in a
 * buffer that the caller received, batches in memory of the caller. Numbers lie in memory as little
 * endian, as Spark and TensorFlow lay them out on every platform that TensorFlow Java supports.
 */
@NullMarked
package org.tensorflowonspark.cluster.columns;

import org.jspecify.annotations.NullMarked;
