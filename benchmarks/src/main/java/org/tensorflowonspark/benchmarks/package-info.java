/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Races of this project against its limits and against others; {@code benchmarks/run} starts them.
 * {@link org.tensorflowonspark.benchmarks.Main} is the door; each {@code *Race} is one benchmark, a
 * program that interleaves rounds of all sides in one run, checks results and prints a table and
 * JSON. {@code parts} holds the JMH benchmarks of single parts.
 */
@NullMarked
package org.tensorflowonspark.benchmarks;

import org.jspecify.annotations.NullMarked;
