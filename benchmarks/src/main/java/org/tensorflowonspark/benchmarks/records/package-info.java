/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the races of TFRecord files time, in a process of its own on one core: {@link
 * org.tensorflowonspark.benchmarks.records.RecordProcess} reads and writes by this project, {@link
 * org.tensorflowonspark.benchmarks.records.BareFiles} as fast as bytes can be moved at all. Their
 * peer in {@code peers/java} shares {@link org.tensorflowonspark.benchmarks.records.Column} and
 * {@link org.tensorflowonspark.benchmarks.records.Requests}, which therefore need the JDK only.
 */
@NullMarked
package org.tensorflowonspark.benchmarks.records;

import org.jspecify.annotations.NullMarked;
