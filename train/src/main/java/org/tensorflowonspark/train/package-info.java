/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The training loop that most programs need, over cluster, feed, collective and model. {@link
 * org.tensorflowonspark.train.Trainer} is the door, used on the driver; its program runs on the
 * nodes and closes what it opens there.
 */
@NullMarked
package org.tensorflowonspark.train;

import org.jspecify.annotations.NullMarked;
