/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of whole clusters on executors that are processes of their own. */
@NullMarked
package org.tensorflowonspark.cluster;

import org.jspecify.annotations.NullMarked;
