/* SPDX-License-Identifier: Apache-2.0 */
/** JMH benchmarks of single parts; {@code benchmarks/run parts} runs all of them. */
@NullMarked
package org.tensorflowonspark.benchmarks.parts;

import org.jspecify.annotations.NullMarked;
