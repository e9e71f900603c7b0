/* SPDX-License-Identifier: Apache-2.0 */
/**
 * TensorFlow as a local engine: models that can be trained ({@link
 * org.tensorflowonspark.tensorflow.TrainableModel}) or only asked ({@link
 * org.tensorflowonspark.tensorflow.ServedModel}), the rows of one step in native memory ({@link
 * org.tensorflowonspark.tensorflow.Batch}) and what comes back ({@link
 * org.tensorflowonspark.tensorflow.Gradients}, {@link
 * org.tensorflowonspark.tensorflow.TensorList}). No Spark, no Hadoop, local paths only; everything
 * runs in the process that calls it, on the driver as on an executor.
 *
 * <p>Whatever is {@link java.lang.AutoCloseable} holds native memory and is closed by whoever got
 * it, results before the model. Nothing is freed by the garbage collector. A buffer is a window on
 * native memory and must not be touched after its owner is closed.
 */
@NullMarked
package org.tensorflowonspark.tensorflow;

import org.jspecify.annotations.NullMarked;
