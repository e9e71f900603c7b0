/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The TFRecord container: records framed by their length and masked CRC32C, plain or compressed.
 * Doors are {@link org.tensorflowonspark.tfrecord.RecordReader} and {@link
 * org.tensorflowonspark.tfrecord.RecordWriter}. Plain Java, no file system but what a {@link
 * org.tensorflowonspark.tfrecord.RecordSource} offers. Objects belong to one thread; whoever opens
 * closes.
 */
@org.jspecify.annotations.NullMarked
package org.tensorflowonspark.tfrecord;
