/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of the package of the same name. */
@NullMarked
package org.tensorflowonspark.cluster.driver;

import org.jspecify.annotations.NullMarked;
