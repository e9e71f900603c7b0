/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code tfos demo}: the whole way from image files to predictions of a trained model, on a real
 * cluster on this machine. Entry is {@link org.tensorflowonspark.cli.demo.DemoCommand}; {@link
 * org.tensorflowonspark.cli.demo.IdxFiles} reads the MNIST format. Everything runs on the driver's
 * main thread.
 */
@NullMarked
package org.tensorflowonspark.cli.demo;

import org.jspecify.annotations.NullMarked;
