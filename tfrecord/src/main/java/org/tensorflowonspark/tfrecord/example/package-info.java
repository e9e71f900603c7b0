/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code tf.train.Example} and {@code tf.train.SequenceExample} at wire level: straight from a
 * record's bytes to primitive columns and back, with no message objects. Doors are {@link
 * org.tensorflowonspark.tfrecord.example.ExampleReader} and {@link
 * org.tensorflowonspark.tfrecord.example.ExampleWriter}. Objects are reused from record to record,
 * belong to one thread and own nothing that needs closing.
 */
@org.jspecify.annotations.NullMarked
package org.tensorflowonspark.tfrecord.example;
