/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The documented examples: whole programs with a {@code main} each, to be given to spark-submit.
 * {@link org.tensorflowonspark.examples.TrainMnist} is the short way, {@link
 * org.tensorflowonspark.examples.OwnProgram} the full one. What the documentation shows of them
 * stands between {@code // doc:} marks.
 */
@NullMarked
package org.tensorflowonspark.examples;

import org.jspecify.annotations.NullMarked;
