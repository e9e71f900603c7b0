/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What every module shares: errors with a stable code ({@link
 * org.tensorflowonspark.base.TfosException}, {@link org.tensorflowonspark.base.ErrorCode}) and
 * tables of options ({@link org.tensorflowonspark.base.Option}, {@link
 * org.tensorflowonspark.base.OptionTable}). JDK only; all types are immutable and safe on any
 * thread, on the driver and on executors.
 */
@NullMarked
package org.tensorflowonspark.base;

import org.jspecify.annotations.NullMarked;
