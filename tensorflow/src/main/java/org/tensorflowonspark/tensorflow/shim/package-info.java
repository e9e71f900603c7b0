/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The only place that touches TensorFlow's C API ({@code org.tensorflow.internal}): tensors, a
 * loaded model, prepared runs of it. Not an API of this project: use {@link
 * org.tensorflowonspark.tensorflow}. Handles are released by {@code close()} alone; native calls
 * block; failures of TensorFlow are {@link org.tensorflowonspark.tensorflow.shim.NativeException}.
 */
@NullMarked
package org.tensorflowonspark.tensorflow.shim;

import org.jspecify.annotations.NullMarked;
