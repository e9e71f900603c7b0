/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of the package. */
@NullMarked
package org.tensorflowonspark.cluster.transport;

import org.jspecify.annotations.NullMarked;
