/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of the training loop on executors that are processes of their own. */
@NullMarked
package org.tensorflowonspark.train;

import org.jspecify.annotations.NullMarked;
