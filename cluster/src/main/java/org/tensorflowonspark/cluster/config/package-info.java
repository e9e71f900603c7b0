/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Options, error codes and roles of a cluster: values only, used on the driver and on executors,
 * safe on any thread.
 */
@NullMarked
package org.tensorflowonspark.cluster.config;

import org.jspecify.annotations.NullMarked;
